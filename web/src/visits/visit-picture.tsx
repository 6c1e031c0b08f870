import { SoundPicture } from '../pictures/sound-picture';
import { SpeciesPicture } from '../pictures/species-picture';
import type { HeardMoment } from './describe-visit';

interface VisitPictureProps {
  /** Id of the detection that shows the bird; undefined where it was not seen. */
  readonly detectionId: number | undefined;
  /** What was heard instead. */
  readonly heard: HeardMoment | null;
  /** Address of another picture of the same recording, for a visit without either. */
  readonly otherwiseUrl?: string | undefined;
  /** That it was only heard. */
  readonly heardLabel: string;
  readonly ratio?: number;
  readonly isUrgent?: boolean;
}

/** The evidence of a visit: the bird in its recording, or its sound. A picture of another day is none. */
export function VisitPicture(props: VisitPictureProps) {
  const { detectionId, heard, otherwiseUrl, heardLabel, ratio = 4 / 3, isUrgent = false } = props;
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
  const url = detectionId === undefined ? otherwiseUrl : `/api/ui/detections/${detectionId}/crop`;
  return <SpeciesPicture url={url} alt="" ratio={ratio} isUrgent={isUrgent} />;
}
