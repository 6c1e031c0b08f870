import { Grid } from '@mantine/core';
import { useFullscreenElement, useLocalStorage } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Page } from '../../components/page';
import { DetectionList } from './detection-list';
import { NeighborNav } from './neighbor-nav';
import { PlayerControls } from './player-controls';
import { RecordingActions } from './recording-actions';
import { RecordingFacts } from './recording-facts';
import { type Recording, recordingSeconds } from './recording-queries';
import { Spectrogram } from './spectrogram';
import { Stage } from './stage';
import classes from './stage.module.css';
import { useFavorite } from './use-favorite';
import { useNeighbors } from './use-neighbors';
import { usePlayer } from './use-player';
import { usePlayerKeys } from './use-player-keys';
import { useStream } from './use-stream';

interface RecordingViewProps {
  readonly recording: Recording;
  readonly title: string;
  /** Seconds from its start that it opens at. */
  readonly startAt: number | undefined;
  readonly onDelete: () => void;
}

/** Seconds that J and L go back and on. */
const leapSeconds = 5;

/** A recording to be watched, listened to and judged. */
export function RecordingView({ recording, title, startAt, onDelete }: RecordingViewProps) {
  const player = usePlayer(recordingSeconds(recording));
  const stream = useStream(recording);
  const navigate = useNavigate();
  const { previous, next } = useNeighbors(recording.id);
  const toggleFavorite = useFavorite(recording);
  const [chosenId, setChosenId] = useState<number>();
  const [hasBoxes, setHasBoxes] = useLocalStorage({ key: 'birdhub.boxes', defaultValue: true });
  const { ref: fullscreenRef, toggle: toggleFullscreen, fullscreen } = useFullscreenElement();
  const root = useRef<HTMLDivElement>(null);

  const { playhead, seconds } = player;
  useEffect(() => {
    const draw = () =>
      root.current?.style.setProperty('--playhead', String(Math.min(1, playhead.time() / seconds)));
    draw();
    return playhead.subscribe(draw);
  }, [playhead, seconds]);

  const { seek } = player;
  const seekTo = useRef(seek);
  seekTo.current = seek;
  useEffect(() => {
    if (startAt !== undefined) seekTo.current(startAt);
  }, [startAt]);

  const goTo = (id: number | null | undefined) => {
    if (id) void navigate({ to: '/videos/$id', params: { id: String(id) } });
  };
  usePlayerKeys({
    toggle: player.toggle,
    frame_back: () => player.step(-1),
    frame_forward: () => player.step(1),
    back: () => player.seek(playhead.time() - leapSeconds),
    forward: () => player.seek(playhead.time() + leapSeconds),
    previous: () => goTo(previous),
    next: () => goTo(next),
    mute: () => player.mute(!player.isMuted),
    boxes: () => setHasBoxes(!hasBoxes),
    favorite: toggleFavorite,
  });

  return (
    <Page
      title={title}
      actions={<RecordingActions recording={recording} onFavorite={toggleFavorite} onDelete={onDelete} />}
    >
      <NeighborNav recording={recording} />
      <Grid ref={root} gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <div ref={fullscreenRef} className={classes['player']}>
            <Stage
              recording={recording}
              player={player}
              stream={stream}
              hasBoxes={hasBoxes}
              chosenId={chosenId}
              label={title}
            />
            {stream.state === 'playable' && (
              <PlayerControls
                player={player}
                hasBoxes={hasBoxes}
                onBoxes={() => setHasBoxes(!hasBoxes)}
                isFullscreen={fullscreen}
                onFullscreen={() => void toggleFullscreen()}
              />
            )}
          </div>
          <Spectrogram player={player} url={recording.spectrogram_url} />
          <RecordingFacts recording={recording} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <DetectionList
            detections={recording.species}
            spectrogramUrl={recording.spectrogram_url}
            player={player}
            chosenId={chosenId}
            onChoose={setChosenId}
          />
        </Grid.Col>
      </Grid>
    </Page>
  );
}
