import { SightingPicture } from '../pictures/sighting-picture';
import { HeardPicture } from '../pictures/sound-picture';
import { SpeciesPicture } from '../pictures/species-picture';
import type { VisitFacts } from './describe-visit';

interface VisitPictureProps {
  readonly facts: Pick<
    VisitFacts,
    'best' | 'nextBestId' | 'heard' | 'isHeardOnly' | 'hasNoMedia' | 'thumbhash'
  >;
  /** Picture of the species, for a visit that has none of its own. */
  readonly speciesUrl: string | null;
  /** Another picture of the same recording, for a visit without a detection. */
  readonly fallbackUrl?: string | undefined;
  /** Accessible name of an audio-only visit. */
  readonly heardLabel: string;
  /** Accessible name of a visit that a person reported without a photo. */
  readonly sightingLabel: string;
  readonly ratio?: number;
  readonly isUrgent?: boolean;
  /** Display width, as the `sizes` attribute of an image. */
  readonly sizes?: string | undefined;
}

const cropOf = (id: number | undefined) => (id === undefined ? undefined : `/api/ui/detections/${id}/crop`);

/**
 * Picture of a visit: a crop of its recording or a part of its spectrogram. Only a visit without any media shows a
 * picture of another day, which is marked as such.
 */
export function VisitPicture(props: VisitPictureProps) {
  const {
    facts,
    speciesUrl,
    fallbackUrl,
    heardLabel,
    sightingLabel,
    ratio = 4 / 3,
    isUrgent = false,
    sizes,
  } = props;
  const { best, nextBestId, heard, isHeardOnly, hasNoMedia, thumbhash } = facts;
  if (heard !== null || (isHeardOnly && hasNoMedia)) {
    return <HeardPicture heard={heard} label={heardLabel} ratio={ratio} />;
  }
  if (hasNoMedia) return <SightingPicture url={speciesUrl} label={sightingLabel} ratio={ratio} />;
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
