import { Button, Loader, Stack, Text } from '@mantine/core';
import { useDocumentVisibility, useIntersection } from '@mantine/hooks';
import { IconChevronRight, IconLock, IconPlayerPlayFilled, IconVideoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { Problem, problemText, readProblem } from '../../api/problem';
import { useOnUnlock } from '../../api/unlock';
import { useTimeFormat } from '../../lib/format';
import { useNextFocus } from '../../lib/use-next-focus';
import { ensureRole } from '../session/ensure-role';
import { type LiveFailure, playHls } from './hls-player';
import classes from './live-tile.module.css';
import { readPictures } from './mjpeg';
import { queueStill, type StreamSlot, useStreamSlot } from './stream-slots';

interface LiveTileProps {
  readonly id: string;
  readonly name: string;
}

interface NamedTileProps extends LiveTileProps {
  /** Whether it links to the page of the camera. */
  readonly isLinked?: boolean;
}

type Kind = 'mjpeg' | 'picture' | 'hls' | 'whep' | 'none';

/** Whether it comes as a stream of pictures, which occupies a connection as long as it plays. */
const isOfPictures = (kind: Kind) => kind === 'mjpeg' || kind === 'picture';

/** Calls `onChange` when a video starts or ends to play full screen or picture-in-picture. */
function watchDetached(onChange: () => void): () => void {
  // Those of WebKit are the only ones of full screen on iPhones.
  const fullScreen = ['fullscreenchange', 'webkitbeginfullscreen', 'webkitendfullscreen'];
  const events = [...fullScreen, 'enterpictureinpicture', 'leavepictureinpicture'];
  for (const event of events) document.addEventListener(event, onChange, true);
  return () => {
    for (const event of events) document.removeEventListener(event, onChange, true);
  };
}

/** Whether the video of a tile plays full screen or picture-in-picture. */
function isDetached(tile: Element | undefined): boolean {
  const video = tile?.querySelector<HTMLVideoElement & { webkitDisplayingFullscreen?: boolean }>('video');
  if (!video) return false;
  const { pictureInPictureElement, fullscreenElement } = document;
  return (
    video === pictureInPictureElement ||
    video === fullscreenElement ||
    video.webkitDisplayingFullscreen === true
  );
}

/**
 * Live picture of a camera; stops while it is out of view or the page is hidden, unless its video plays full screen or
 * picture-in-picture.
 */
export function LiveTile({ id, name, isLinked = false }: NamedTileProps) {
  const { t } = useTranslation('live-view');
  const isPageShown = useDocumentVisibility() === 'visible';
  const { ref, entry } = useIntersection<HTMLElement>();
  const isShown = isPageShown && entry?.isIntersecting === true;
  const isVideoDetached = useSyncExternalStore(watchDetached, () => isDetached(entry?.target));
  const { data, error, refetch } = useQuery({
    queryKey: ['live-kind', id],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/cameras/{camera_id}/live', { params: { path: { camera_id: id } }, signal })),
    refetchInterval: ({ state }) => (state.status === 'error' ? retryMs : false),
  });
  return (
    <section ref={ref} className={classes['tile']} tabIndex={-1} aria-label={t('camera', { name })}>
      <div className={classes['stage']}>
        {data === undefined && error === null && <Loader color="white" aria-label={t('connecting')} />}
        {data === undefined && error !== null && (
          <Notice
            hint={problemText(t, error)}
            action={<Button onClick={() => void refetch()}>{t('retry', { ns: 'components' })}</Button>}
          >
            {t('failed', { ns: 'components' })}
          </Notice>
        )}
        {data?.kind === 'none' && <Notice hint={t('empty_hint')}>{t('not_playable')}</Notice>}
        {data && data.kind !== 'none' && (isShown || isVideoDetached || isOfPictures(data.kind)) && (
          <Player id={id} name={name} kind={data.kind} isShown={isShown} />
        )}
      </div>
      {isLinked && (
        <Link className={classes['name']} to="/cameras/$id" params={{ id }}>
          {name}
          <IconChevronRight size={18} aria-hidden />
        </Link>
      )}
    </section>
  );
}

interface NoticeProps {
  readonly children: ReactNode;
  readonly hint?: string;
  readonly icon?: typeof IconVideoOff;
  readonly action?: ReactNode;
  /** Whether screen readers do not announce it. */
  readonly isQuiet?: boolean;
}

/** Passes the focus on to the tile when a notice with it disappears. */
const passFocusOn = (notice: HTMLElement | null) => () => {
  if (notice?.contains(document.activeElement)) notice.closest('section')?.focus({ preventScroll: true });
};

function Notice({ children, hint, icon: Icon = IconVideoOff, action, isQuiet = false }: NoticeProps) {
  return (
    <Stack
      ref={passFocusOn}
      align="center"
      gap="xs"
      p="md"
      maw={420}
      ta="center"
      role={isQuiet ? undefined : 'status'}
    >
      <Icon size={36} stroke={1.5} aria-hidden />
      <Text fw={600}>{children}</Text>
      {hint && <Text size="sm">{hint}</Text>}
      {action}
    </Stack>
  );
}

/** Delay of the automatic retry after a failure. */
const retryMs = 20_000;
/** The error code for an address of a camera that returns no pictures. */
const notPlayable = 'live_not_playable';

interface PlayerState {
  readonly attempt: number;
  readonly isPlaying: boolean;
  /** Whether it was requested again by itself after a failure, which has been announced. */
  readonly isRepeated: boolean;
  readonly failure?: LiveFailure;
  /** The refusal of a busy hub, or of an address that cannot be shown; undefined when the camera failed. */
  readonly refusal?: Problem | undefined;
}

interface LivePlayerProps extends LiveTileProps {
  readonly kind: Exclude<Kind, 'none'>;
  /** Whether it is in view; otherwise, a stream of pictures stops at its last picture. */
  readonly isShown: boolean;
}

/** A player that is recreated for each retry: manual, after a while, or once the hub is unlocked. */
function Player(props: LivePlayerProps) {
  const { t } = useTranslation('live-view');
  const [state, setState] = useState<PlayerState>({ attempt: 0, isPlaying: false, isRepeated: false });
  const { attempt, isPlaying, isRepeated, failure, refusal } = state;
  const retry = useCallback(
    (isRepeated = false) =>
      setState((before) =>
        before.failure === undefined ? before : { attempt: before.attempt + 1, isPlaying: false, isRepeated },
      ),
    [],
  );
  const onFailure = useCallback((why: LiveFailure, error?: unknown) => {
    const isRefusal = error instanceof Problem && (error.status === 503 || error.code === notPlayable);
    setState((before) => ({ ...before, failure: why, refusal: isRefusal ? error : undefined }));
  }, []);
  const setPlaying = useCallback(
    (now: boolean) =>
      setState((before) =>
        before.isPlaying === now ? before : { ...before, isPlaying: now, isRepeated: false },
      ),
    [],
  );
  const onConnecting = useCallback(() => setPlaying(false), [setPlaying]);
  const onPlaying = useCallback(() => setPlaying(true), [setPlaying]);
  const hasFailed = failure === 'failed';
  const isPlayable = failure === undefined || hasFailed;
  // While it waits for a retry, it stays in line: the streams of the others would stop and start otherwise.
  const { slot, play, yieldSlot } = useStreamSlot(isOfPictures(props.kind) && props.isShown && isPlayable);
  const isUnavailable = hasFailed && !isPlaying;
  useEffect(() => {
    if (isUnavailable) yieldSlot();
  }, [isUnavailable, yieldSlot]);
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(() => retry(true), retryMs);
    return () => clearTimeout(timer);
  }, [hasFailed, retry]);
  useOnUnlock(() => {
    if (failure === 'locked') retry();
  });
  if (failure === 'unsupported') return <Notice hint={t('unsupported_hint')}>{t('unsupported')}</Notice>;
  if (failure === 'locked') {
    const unlock = async () => {
      if (await ensureRole('contributor')) retry();
    };
    return (
      <Notice
        icon={IconLock}
        hint={t('locked_hint')}
        action={<Button onClick={() => void unlock()}>{t('unlock')}</Button>}
      >
        {t('locked')}
      </Notice>
    );
  }
  if (hasFailed) {
    const [text, hint] = failureTexts(t, refusal);
    return (
      <Notice
        hint={hint}
        isQuiet={isRepeated}
        action={<Button onClick={() => retry()}>{t('retry', { ns: 'components' })}</Button>}
      >
        {text}
      </Notice>
    );
  }
  const base = hubUrl(`/api/ui/cameras/${encodeURIComponent(props.id)}/live`);
  const player = {
    base,
    name: props.name,
    label: t('camera', { name: props.name }),
    onFailure,
    onPlaying,
  };
  return (
    <>
      {!isPlaying && slot !== 'still' && (
        <Loader className={classes['loader'] ?? ''} color="white" aria-label={t('connecting')} />
      )}
      {props.kind === 'hls' && <HlsPlayer key={attempt} {...player} />}
      {props.kind === 'whep' && <WebrtcPlayer key={attempt} {...player} id={props.id} />}
      {isOfPictures(props.kind) && (
        <PicturePlayer key={attempt} {...player} slot={slot} onConnecting={onConnecting} onPlay={play} />
      )}
    </>
  );
}

function failureTexts(t: TFunction<'live-view'>, refusal: Problem | undefined): readonly [string, string] {
  if (refusal === undefined) return [t('failed'), t('failed_hint')];
  if (refusal.code === notPlayable) return [t('not_playable'), t('empty_hint')];
  return [t('failed', { ns: 'components' }), problemText(t, refusal)];
}

interface PlayerProps {
  readonly base: string;
  /** Of the camera. */
  readonly name: string;
  readonly label: string;
  readonly onFailure: (failure: LiveFailure, error?: unknown) => void;
  /** Called when the first picture is shown. */
  readonly onPlaying: () => void;
}

/** Why a request failed. */
const failureOf = (error: unknown): LiveFailure =>
  error instanceof Problem && error.code === 'unlock_required' ? 'locked' : 'failed';

/** Requests a stream. @throws Problem when the hub refuses it */
async function request(url: string, signal: AbortSignal): Promise<Response> {
  const response = await fetch(url, { signal });
  if (!response.ok) throw await readProblem(response);
  return response;
}

const stillIntervalMs = 10_000;
/** Cameras that do not answer must not hold up the still pictures of the others for long. */
const stillTimeoutMs = 8_000;

interface PicturePlayerProps extends PlayerProps {
  /** Undefined while it is out of view. */
  readonly slot: StreamSlot | undefined;
  /** Called when the stream is requested; until it plays, its last picture stays. */
  readonly onConnecting: () => void;
  /** Called to play the stream instead of showing still pictures. */
  readonly onPlay: () => void;
}

/** Draws the pictures of an MJPEG stream: browsers do not report that the stream of an `<img>` ended. */
function PicturePlayer(props: PicturePlayerProps) {
  const { base, name, label, slot, onConnecting, onPlay, onFailure, onPlaying } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stillAt, setStillAt] = useState<Date>();
  useEffect(() => {
    if (slot === undefined) return;
    const controller = new AbortController();
    const { signal } = controller;
    const fail = (why: LiveFailure, error?: unknown) => {
      if (signal.aborted) return;
      controller.abort();
      onFailure(why, error);
    };
    const show = (picture: ImageBitmap) => {
      if (canvas.current) draw(picture, canvas.current);
      onPlaying();
    };
    const showStill = async () => {
      if (signal.aborted) return;
      const timer = setTimeout(() => fail('failed'), stillTimeoutMs);
      await receivePictures(base, signal, show, 1).finally(() => clearTimeout(timer));
      setStillAt(new Date());
    };
    const showStills = async () => {
      setStillAt(undefined);
      while (!signal.aborted) {
        await queueStill(showStill);
        await new Promise((resolve) => setTimeout(resolve, stillIntervalMs));
      }
    };
    if (slot === 'play') onConnecting();
    const shown = slot === 'play' ? receivePictures(base, signal, show) : showStills();
    shown.catch((error: unknown) => fail(failureOf(error), error));
    return () => controller.abort();
  }, [base, slot, onConnecting, onFailure, onPlaying]);
  return (
    <>
      <canvas ref={canvas} className={classes['picture']} role="img" aria-label={label} tabIndex={-1} />
      {slot === 'still' && <StillControls name={name} takenAt={stillAt} onPlay={onPlay} nextFocus={canvas} />}
    </>
  );
}

interface StillControlsProps extends Pick<PlayerProps, 'name'> {
  /** Undefined until there is a still picture. */
  readonly takenAt: Date | undefined;
  readonly onPlay: () => void;
  /** Gets the focus when they disappear with the focus inside. */
  readonly nextFocus: RefObject<HTMLElement | null>;
}

function StillControls({ name, takenAt, onPlay, nextFocus }: StillControlsProps) {
  const { t } = useTranslation('live-view');
  const { clockSeconds } = useTimeFormat();
  const button = useNextFocus(nextFocus);
  return (
    <div className={classes['still']}>
      <Button
        ref={button}
        variant="default"
        leftSection={<IconPlayerPlayFilled size={18} aria-hidden />}
        aria-label={`${t('play')}: ${name}`}
        onClick={onPlay}
      >
        {t('play')}
      </Button>
      {takenAt && <span className={classes['taken']}>{t('still_at', { time: clockSeconds(takenAt) })}</span>}
    </div>
  );
}

/** Receives `max` pictures of an MJPEG stream. @throws Problem when the hub refuses it; Error when it ends before */
async function receivePictures(
  base: string,
  signal: AbortSignal,
  onPicture: (picture: ImageBitmap) => void,
  max = Number.POSITIVE_INFINITY,
): Promise<void> {
  const { body } = await request(`${base}/mjpeg`, signal);
  let count = 0;
  for await (const picture of body === null ? [] : readPictures(body)) {
    // A damaged picture is skipped.
    const bitmap = await createImageBitmap(picture).catch(() => undefined);
    if (bitmap === undefined) continue;
    onPicture(bitmap);
    bitmap.close();
    count += 1;
    if (count >= max) return;
  }
  throw new Error('the stream has ended');
}

function draw(picture: ImageBitmap, canvas: HTMLCanvasElement): void {
  if (canvas.width !== picture.width) canvas.width = picture.width;
  if (canvas.height !== picture.height) canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
}

function HlsPlayer({ base, label, onFailure, onPlaying }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (!video.current) return undefined;
    const playlist = `${base}/hls/index.m3u8`;
    const controller = new AbortController();
    const stop = playHls(video.current, playlist, (failure) => {
      if (failure !== 'failed') return onFailure(failure);
      // Players do not report the code of a refusal.
      const refusal = request(playlist, controller.signal).then(
        () => undefined,
        (error: unknown) => error,
      );
      void refusal.then((error) => {
        if (!controller.signal.aborted) onFailure(failureOf(error), error);
      });
    });
    return () => {
      controller.abort();
      stop();
    };
  }, [base, onFailure]);
  return <LiveVideo ref={video} label={label} onPlaying={onPlaying} />;
}

interface LiveVideoProps extends Pick<PlayerProps, 'label' | 'onPlaying'> {
  readonly ref: RefObject<HTMLVideoElement | null>;
}

function LiveVideo({ ref, label, onPlaying }: LiveVideoProps) {
  return (
    <video
      ref={ref}
      className={classes['picture']}
      aria-label={label}
      autoPlay
      muted
      playsInline
      controls
      onPlaying={onPlaying}
    />
  );
}

const gatheringTimeoutMs = 2_000;

/** WebRTC by WHEP: the hub forwards offer and answer, the camera sends directly to the browser. */
function WebrtcPlayer({ id, label, onFailure, onPlaying }: PlayerProps & { readonly id: string }) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (typeof RTCPeerConnection === 'undefined') {
      onFailure('unsupported');
      return;
    }
    const connection = new RTCPeerConnection();
    let isUnmounted = false;
    connection.ontrack = ({ streams: [stream] }) => {
      if (video.current && stream) video.current.srcObject = stream;
    };
    connection.onconnectionstatechange = () => {
      if (!isUnmounted && connection.connectionState === 'failed') onFailure('failed');
    };
    negotiate(connection, id).catch((error: unknown) => {
      if (!isUnmounted) onFailure(failureOf(error), error);
    });
    return () => {
      isUnmounted = true;
      connection.close();
    };
  }, [id, onFailure]);
  return <LiveVideo ref={video} label={label} onPlaying={onPlaying} />;
}

async function negotiate(connection: RTCPeerConnection, id: string): Promise<void> {
  connection.addTransceiver('video', { direction: 'recvonly' });
  connection.addTransceiver('audio', { direction: 'recvonly' });
  await connection.setLocalDescription(await connection.createOffer());
  await new Promise<void>((resolve) => {
    if (connection.iceGatheringState === 'complete') resolve();
    connection.addEventListener('icegatheringstatechange', () => {
      if (connection.iceGatheringState === 'complete') resolve();
    });
    setTimeout(resolve, gatheringTimeoutMs);
  });
  const { sdp } = await unwrap(
    hub.POST('/api/ui/cameras/{camera_id}/live/whep', {
      params: { path: { camera_id: id } },
      body: { sdp: connection.localDescription?.sdp ?? '' },
      // Without asking for the password, as the request is repeated by itself.
      fetch: (request) => fetch(request),
    }),
  );
  await connection.setRemoteDescription({ type: 'answer', sdp });
}
