import { Button, Loader, Stack, Text } from '@mantine/core';
import { useDocumentVisibility } from '@mantine/hooks';
import { IconChevronRight, IconVideoOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { type LiveFailure, playHls } from './hls-player';
import classes from './live-tile.module.css';

interface LiveTileProps {
  readonly id: string;
  readonly name: string;
}

interface NamedTileProps extends LiveTileProps {
  /** Whether it links to the page of the camera. */
  readonly isLinked?: boolean;
}

type Kind = 'mjpeg' | 'picture' | 'hls' | 'whep' | 'none';

/** Live picture of a camera; stops while the page is hidden. */
export function LiveTile({ id, name, isLinked = false }: NamedTileProps) {
  const { t } = useTranslation('live-view');
  const isShown = useDocumentVisibility() === 'visible';
  const { data, error } = useQuery({
    queryKey: ['live-kind', id],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/cameras/{camera_id}/live', { params: { path: { camera_id: id } }, signal })),
  });
  return (
    <section className={classes['tile']} aria-label={t('camera', { name })}>
      <div className={classes['stage']}>
        {data === undefined && error === null && <Loader color="white" aria-label={t('connecting')} />}
        {error !== null && <Notice>{t('failed')}</Notice>}
        {data?.kind === 'none' && <Notice hint={t('empty_hint')}>{t('not_playable')}</Notice>}
        {data && data.kind !== 'none' && isShown && <Player id={id} name={name} kind={data.kind} />}
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

function Notice({ children, hint, onRetry }: { children: ReactNode; hint?: string; onRetry?: () => void }) {
  const { t } = useTranslation('components');
  return (
    <Stack align="center" gap="xs" p="md" maw={420} ta="center" role="status">
      <IconVideoOff size={36} stroke={1.5} aria-hidden />
      <Text fw={600}>{children}</Text>
      {hint && <Text size="sm">{hint}</Text>}
      {onRetry && <Button onClick={onRetry}>{t('retry')}</Button>}
    </Stack>
  );
}

/** Delay of the automatic retry after a failure. */
const retryMs = 20_000;

/** A player that is recreated for each retry, automatic or manual. */
function Player(props: LiveTileProps & { readonly kind: Exclude<Kind, 'none'> }) {
  const { t } = useTranslation('live-view');
  const [attempt, setAttempt] = useState(0);
  const [failure, setFailure] = useState<LiveFailure>();
  const [isPlaying, setIsPlaying] = useState(false);
  const retry = useCallback(() => {
    setFailure(undefined);
    setIsPlaying(false);
    setAttempt((before) => before + 1);
  }, []);
  const hasFailed = failure === 'failed';
  useEffect(() => {
    if (!hasFailed) return;
    const timer = setTimeout(retry, retryMs);
    return () => clearTimeout(timer);
  }, [hasFailed, retry]);
  if (failure === 'unsupported') return <Notice hint={t('unsupported_hint')}>{t('unsupported')}</Notice>;
  if (hasFailed) {
    return (
      <Notice hint={t('failed_hint')} onRetry={retry}>
        {t('failed')}
      </Notice>
    );
  }
  const base = hubUrl(`/api/ui/cameras/${encodeURIComponent(props.id)}/live`);
  const player = {
    base,
    label: t('camera', { name: props.name }),
    onFailure: setFailure,
    onPlaying: () => setIsPlaying(true),
  };
  return (
    <>
      {!isPlaying && (
        <Loader className={classes['loader'] ?? ''} color="white" aria-label={t('connecting')} />
      )}
      {props.kind === 'hls' && <HlsPlayer key={attempt} {...player} />}
      {props.kind === 'whep' && <WebrtcPlayer key={attempt} {...player} id={props.id} />}
      {(props.kind === 'mjpeg' || props.kind === 'picture') && (
        <PicturePlayer key={attempt} {...player} attempt={attempt} />
      )}
    </>
  );
}

interface PlayerProps {
  readonly base: string;
  readonly label: string;
  readonly onFailure: (failure: LiveFailure) => void;
  /** Called when the first picture is shown. */
  readonly onPlaying: () => void;
}

function PicturePlayer(props: PlayerProps & { readonly attempt: number }) {
  const { base, label, onFailure, onPlaying, attempt } = props;
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const shown = image.current;
    // Browsers keep the connection of a removed image; clearing its source closes it.
    return () => shown?.removeAttribute('src');
  }, []);
  return (
    <img
      ref={image}
      className={classes['picture']}
      src={`${base}/mjpeg${attempt ? `?attempt=${attempt}` : ''}`}
      alt={label}
      onLoad={onPlaying}
      onError={() => onFailure('failed')}
    />
  );
}

function HlsPlayer({ base, label, onFailure, onPlaying }: PlayerProps) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(
    () => (video.current ? playHls(video.current, `${base}/hls/index.m3u8`, onFailure) : undefined),
    [base, onFailure],
  );
  return (
    <video
      ref={video}
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
    negotiate(connection, id).catch(() => {
      if (!isUnmounted) onFailure('failed');
    });
    return () => {
      isUnmounted = true;
      connection.close();
    };
  }, [id, onFailure]);
  return (
    <video
      ref={video}
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
    }),
  );
  await connection.setRemoteDescription({ type: 'answer', sdp });
}
