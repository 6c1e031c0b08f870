import { SoundPicture } from '../pictures/sound-picture';
import { SpeciesPicture } from '../pictures/species-picture';
import type { HeardMoment } from './describe-visit';

interface VisitPictureProps {
  /** Id of the best video detection; undefined for an audio-only visit. */
  readonly detectionId: number | undefined;
  readonly heard: HeardMoment | null;
  /** Another picture of the same recording, for a visit without either. */
  readonly fallbackUrl?: string | undefined;
  /** Accessible name of an audio-only visit. */
  readonly heardLabel: string;
  readonly ratio?: number;
  readonly isUrgent?: boolean;
}

/** Picture of a visit: a crop of its recording or a part of its spectrogram, never a picture of another day. */
export function VisitPicture(props: VisitPictureProps) {
  const { detectionId, heard, fallbackUrl, heardLabel, ratio = 4 / 3, isUrgent = false } = props;
  if (detectionId === undefined && heard !== null) {
    return (
      <SoundPicture
        url={`/api/ui/videos/${heard.video_id}/spectrogram`}
        stretch={heard}
        recordingSeconds={heard.recording_seconds}
        label={heardLabel}
        ratio={ratio}
      />
    );
  }
  const url = detectionId === undefined ? fallbackUrl : `/api/ui/detections/${detectionId}/crop`;
  return <SpeciesPicture url={url} alt="" ratio={ratio} isUrgent={isUrgent} />;
}
