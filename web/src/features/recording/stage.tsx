import { useState } from 'react';
import { hubUrl } from '../../api/hub-url';
import { usePicture } from '../../components/pictures/hub-picture';
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

/** Loads the poster, which may still have to be made; the video shows it from then on. */
function PosterLoader({ address, onThere }: { readonly address: string; readonly onThere: () => void }) {
  const { attempt, state, onLoad, ...image } = usePicture(address);
  if (state.kind === 'shown' || state.kind === 'failed') return null;
  const load = () => {
    onLoad();
    onThere();
  };
  return <img key={attempt} {...image} onLoad={load} alt="" hidden />;
}

/** The video with the boxes over it, or why it is not there. */
export function Stage({ recording, player, stream, hasBoxes, chosenId, label }: StageProps) {
  const [poster, setPoster] = useState<string>();
  const isPlayable = stream.state === 'playable';
  return (
    <div className={classes['stage']}>
      <video
        key={stream.attempt}
        {...player.videoProps}
        className={classes['video']}
        src={isPlayable ? hubUrl(recording.video_url) : undefined}
        poster={poster === recording.poster_url ? hubUrl(poster) : undefined}
        preload="metadata"
        playsInline
        aria-label={label}
        onClick={player.toggle}
        onError={isPlayable ? stream.onError : undefined}
      />
      <PosterLoader
        key={recording.poster_url}
        address={recording.poster_url}
        onThere={() => setPoster(recording.poster_url)}
      />
      {hasBoxes && isPlayable && (
        <BoxLayer player={player} detections={recording.species} chosenId={chosenId} />
      )}
      <StreamNotice stream={stream} />
    </div>
  );
}
