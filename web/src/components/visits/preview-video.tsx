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

/** Plays three seconds of a recording, muted, over its picture. */
export function PreviewVideo({ videoId, from, onEnd }: PreviewVideoProps) {
  const [isShown, setIsShown] = useState(false);
  const endAfterPreview = ({ currentTarget }: SyntheticEvent<HTMLVideoElement>) => {
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
      onTimeUpdate={endAfterPreview}
      onEnded={onEnd}
      onError={onEnd}
    />
  );
}
