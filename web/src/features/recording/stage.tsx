import { Button, Loader, Stack, Text } from '@mantine/core';
import { IconLock, IconVideoOff } from '@tabler/icons-react';
import { type SyntheticEvent, useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { Problem, problemText, readProblem } from '../../api/problem';
import { useOnUnlock } from '../../api/unlock';
import { srcSetOf, usePicture } from '../../components/pictures/hub-picture';
import { ensureRole } from '../session/ensure-role';
import { PicturePane } from './picture-pane';
import classes from './player.module.css';
import type { Recording } from './recording-queries';
import type { Player } from './use-player';
import { posterSecond } from './zoom-view';

interface StageProps {
  readonly recording: Recording;
  readonly player: Player;
  readonly stream: Stream;
  readonly hasBoxes: boolean;
  readonly isZoomed: boolean;
  readonly onUnzoom: () => void;
  readonly chosenId: number | undefined;
  /** Accessible name. */
  readonly label: string;
}

/** Display width of the stage, as the `sizes` attribute of an image. */
export const stageSizes = '(min-width: 62em) 60vw, 100vw';

interface Poster {
  readonly address: string;
  /** URL of the loaded size. */
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

interface PosterLoaderProps {
  readonly address: string;
  readonly onLoaded: (poster: Poster) => void;
}

/** Loads the poster, which the hub may still have to create. */
function PosterLoader({ address, onLoaded }: PosterLoaderProps) {
  const { attempt, state, onLoad, ...image } = usePicture(address);
  if (state.kind === 'shown' || state.kind === 'failed') return null;
  const load = ({ currentTarget }: SyntheticEvent<HTMLImageElement>) => {
    onLoad();
    const { currentSrc, src, naturalWidth: width, naturalHeight: height } = currentTarget;
    onLoaded({ address, src: currentSrc || src, width, height });
  };
  const srcSet = srcSetOf(address);
  return (
    <img
      key={attempt}
      {...(srcSet !== undefined && { srcSet, sizes: stageSizes })}
      {...image}
      onLoad={load}
      alt=""
      hidden
    />
  );
}

/** The video with bounding boxes, or why it is not available. */
export function Stage(props: StageProps) {
  const { recording, player, stream, hasBoxes, isZoomed, onUnzoom, chosenId, label } = props;
  const [loaded, setLoaded] = useState<Poster>();
  const [started, setStarted] = useState<number>();
  const isPlayable = stream.state === 'playable';
  const poster = loaded?.address === recording.poster_url ? loaded : undefined;
  // After playing or seeking, browsers show the video instead of the poster, even at its start.
  const isAtPoster = poster !== undefined && started !== stream.attempt;
  const start = () => setStarted(stream.attempt);
  return (
    <div className={classes['stage']}>
      <PicturePane
        player={player}
        detections={recording.species}
        chosenId={chosenId}
        size={isAtPoster ? poster : player.picture}
        posterAt={isAtPoster ? posterSecond(recording.species, player.seconds) : undefined}
        hasBoxes={hasBoxes && isPlayable}
        isZoomed={isZoomed && isPlayable}
        onUnzoom={onUnzoom}
      >
        <video
          key={stream.attempt}
          {...player.mediaProps}
          className={classes['video']}
          src={isPlayable ? hubUrl(recording.video_url) : undefined}
          poster={poster?.src}
          preload="metadata"
          playsInline
          aria-label={label}
          onClick={player.toggle}
          onPlaying={start}
          onSeeking={start}
          onError={isPlayable ? stream.onError : undefined}
        />
      </PicturePane>
      <PosterLoader key={recording.poster_url} address={recording.poster_url} onLoaded={setLoaded} />
      <StreamNotice stream={stream} />
    </div>
  );
}

/** Why the file is not available, with advice. */
export function StreamNotice({ stream }: { readonly stream: Stream }) {
  const { t } = useTranslation('recording');
  const { state, problem } = stream;
  if (state === 'playable') return null;
  const isFailed = state === 'failed' && problem !== undefined;
  return (
    <div className={classes['notice']} role="status">
      <Stack align="center" gap="xs" maw={420} ta="center">
        {state === 'pending' && <Loader color="white" aria-hidden />}
        {state === 'locked' && <IconLock size={40} stroke={1.5} aria-hidden />}
        {state !== 'pending' && state !== 'locked' && <IconVideoOff size={40} stroke={1.5} aria-hidden />}
        <Text fw={600}>{isFailed ? problemText(t, problem) : t(`media_${state}`)}</Text>
        {!isFailed && <Text size="sm">{t(`media_${state}_hint`)}</Text>}
        {state === 'locked' && (
          <Button onClick={() => void stream.unlock()} leftSection={<IconLock size={18} aria-hidden />}>
            {t('unlock_video')}
          </Button>
        )}
        {isFailed && <Button onClick={stream.again}>{t('retry', { ns: 'components' })}</Button>}
      </Stack>
    </div>
  );
}

/** Code for a video that the browser cannot decode. */
const unplayable = 'unplayable';

/** State of the stream; `pending` is retried automatically. */
type StreamState = 'playable' | 'pending' | 'missing' | 'purged' | 'locked' | 'unplayable' | 'failed';

const states: Readonly<Record<string, StreamState>> = {
  media_pending: 'pending',
  media_missing: 'missing',
  media_purged: 'purged',
  unlock_required: 'locked',
  [unplayable]: 'unplayable',
};

/** Asks the hub why a video did not load. */
async function fetchProblem(url: string): Promise<Problem> {
  try {
    const response = await fetch(hubUrl(url), { headers: { range: 'bytes=0-0' } });
    if (response.ok) return new Problem(response.status, { code: unplayable });
    return await readProblem(response);
  } catch {
    return new Problem(0, {});
  }
}

const defaultWaitSeconds = 5;

/** State of a recording's file, with retry and unlock; `missing` for a sighting without media. */
export function useStream({ media, video_url }: Recording) {
  const [attempt, setAttempt] = useState(0);
  const [problem, setProblem] = useState<Problem>();
  const again = useCallback(() => {
    setProblem(undefined);
    setAttempt((before) => before + 1);
  }, []);
  const state: StreamState =
    media === 'none'
      ? 'missing'
      : media !== 'ready'
        ? media
        : problem === undefined
          ? 'playable'
          : (states[problem.code] ?? 'failed');
  useOnUnlock(() => {
    if (state === 'locked') again();
  });
  const waitSeconds =
    problem && state === 'pending' ? (problem.retryAfterSeconds ?? defaultWaitSeconds) : undefined;
  useEffect(() => {
    if (waitSeconds === undefined) return undefined;
    const timer = setTimeout(again, waitSeconds * 1000);
    return () => clearTimeout(timer);
  }, [waitSeconds, again]);
  return {
    state,
    problem,
    /** Use as `key`: a new video element loads again. */
    attempt,
    onError: () => void fetchProblem(video_url).then(setProblem),
    again,
    unlock: async () => {
      if (await ensureRole('contributor')) again();
    },
  };
}

/** State of the file of a recording, with retry and unlock. */
export type Stream = ReturnType<typeof useStream>;
