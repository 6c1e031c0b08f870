import { HeardPicture } from '../pictures/sound-picture';
import { SpeciesPicture } from '../pictures/species-picture';
import { ToldPicture } from '../pictures/told-picture';
import type { VisitFacts } from './describe-visit';

interface VisitPictureProps {
  readonly facts: Pick<VisitFacts, 'best' | 'nextBestId' | 'heard' | 'isHeardOnly' | 'isTold' | 'thumbhash'>;
  /** Picture of the species, for a visit that has none of its own. */
  readonly speciesUrl: string | null;
  /** Another picture of the same recording, for a visit without a detection. */
  readonly fallbackUrl?: string | undefined;
  /** Accessible name of an audio-only visit. */
  readonly heardLabel: string;
  /** Accessible name of a visit that a person reported without a photo. */
  readonly toldLabel: string;
  readonly ratio?: number;
  readonly isUrgent?: boolean;
  /** How wide it is shown, as the `sizes` of an image. */
  readonly sizes?: string | undefined;
}

const cropOf = (id: number | undefined) => (id === undefined ? undefined : `/api/ui/detections/${id}/crop`);

/**
 * Picture of a visit: a crop of its recording or a part of its spectrogram. A picture of another day is shown only of a
 * visit without any medium, and marked.
 */
export function VisitPicture(props: VisitPictureProps) {
  const {
    facts,
    speciesUrl,
    fallbackUrl,
    heardLabel,
    toldLabel,
    ratio = 4 / 3,
    isUrgent = false,
    sizes,
  } = props;
  const { best, nextBestId, heard, isHeardOnly, isTold, thumbhash } = facts;
  if (heard !== null || (isHeardOnly && isTold)) {
    return <HeardPicture heard={heard} label={heardLabel} ratio={ratio} />;
  }
  if (isTold) return <ToldPicture url={speciesUrl} label={toldLabel} ratio={ratio} />;
  const url = cropOf(best?.id) ?? fallbackUrl;
  return (
    <SpeciesPicture
      url={url}
      fallbackUrl={cropOf(nextBestId)}
      alt=""
      ratio={ratio}
      isUrgent={isUrgent}
      thumbhash={thumbhash}
      sizes={sizes}
    />
  );
}
