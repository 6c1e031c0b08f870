import { hubUrl } from '../api/base';
import { BoxLayer } from './box-layer';
import type { Recording } from './recording-queries';
import classes from './stage.module.css';
import { StreamNotice } from './stream-notice';
import type { Player } from './use-player';
import type { Stream } from './use-stream';

interface StageProps {
  readonly recording: Recording;
  readonly player: Player;
  readonly stream: Stream;
  readonly hasBoxes: boolean;
  readonly chosenId: number | undefined;
  /** What is seen, for those who do not. */
  readonly label: string;
}

/** The video with the boxes over it, or why it is not there. */
export function Stage({ recording, player, stream, hasBoxes, chosenId, label }: StageProps) {
  const isPlayable = stream.state === 'playable';
  return (
    <div className={classes['stage']}>
      <video
        key={stream.attempt}
        {...player.videoProps}
        className={classes['video']}
        src={isPlayable ? hubUrl(recording.video_url) : undefined}
        poster={hubUrl(recording.poster_url)}
        preload="metadata"
        playsInline
        aria-label={label}
        onClick={player.toggle}
        onError={isPlayable ? stream.onError : undefined}
      />
      {hasBoxes && isPlayable && (
        <BoxLayer player={player} detections={recording.species} chosenId={chosenId} />
      )}
      <StreamNotice stream={stream} />
    </div>
  );
}
