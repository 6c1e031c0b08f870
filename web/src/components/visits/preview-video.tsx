import { type SyntheticEvent, useState } from 'react';
import { hubUrl } from '../../api/hub-url';
import classes from './visit-card.module.css';

/** Length of a preview. */
const previewSeconds = 3;

interface PreviewVideoProps {
  readonly videoId: number;
  /** Where to start, in seconds. */
  readonly from: number;
  /** Called when it is over or cannot be played. */
  readonly onEnd: () => void;
}

/** Three muted seconds of a recording over its picture. */
export function PreviewVideo({ videoId, from, onEnd }: PreviewVideoProps) {
  const [isShown, setIsShown] = useState(false);
  const endInTime = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
    if (currentTarget.currentTime >= from + previewSeconds) onEnd();
  };
  return (
    <video
      className={classes['preview']}
      data-shown={isShown || undefined}
      src={`${hubUrl(`/api/ui/videos/${videoId}/stream`)}#t=${from}`}
      muted
      autoPlay
      playsInline
      disableRemotePlayback
      tabIndex={-1}
      aria-hidden="true"
      onPlaying={() => setIsShown(true)}
      onTimeUpdate={endInTime}
      onEnded={onEnd}
      onError={onEnd}
    />
  );
}
