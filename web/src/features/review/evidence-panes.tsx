import { Anchor, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { IconEar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useOnUnlock } from '../../api/unlock';
import { HubPicture, type PictureFailure } from '../../components/pictures/hub-picture';
import { useShortcuts } from '../../components/shortcuts';
import { playOr } from '../../lib/play';
import type { Recording } from '../recording/recording-queries';
import classes from './review.module.css';
import type { Unknown } from './review-queue';

/** Display width of the crop, as the `sizes` attribute of an image. */
export const cropSizes = '(min-width: 62em) calc(50vw - 140px), (min-width: 48em) 50vw, 100vw';

interface CropPaneProps {
  readonly item: Unknown;
  readonly recording: Recording | undefined;
  readonly alt: string;
}

/** The crop of a video detection, or the spectrogram of an audio detection. */
export function CropPane({ item, recording, alt }: CropPaneProps) {
  const { t } = useTranslation('review');
  const { t: shared } = useTranslation('components');
  const [failed, setFailed] = useState<{ readonly address: string; readonly why: PictureFailure }>();
  useOnUnlock(() => setFailed(undefined));
  const isHeard = item.source === 'audio';
  const address = isHeard ? recording?.spectrogram_url : item.crop_url;
  const why = failed?.address === address ? failed?.why : undefined;
  const isExplained = why !== undefined && why !== 'unknown' && why !== 'none';
  return (
    <div className={`${classes['pane']} ${classes['crop']}`}>
      {address && why === undefined ? (
        <HubPicture
          key={address}
          address={address}
          alt={alt}
          className={classes['whole']}
          isUrgent
          thumbhash={isHeard ? null : item.thumbhash}
          sizes={cropSizes}
          onFailed={(reason) => setFailed({ address, why: reason })}
        />
      ) : (
        <Text p="md" ta="center">
          {isHeard && <IconEar size={48} stroke={1.2} aria-hidden />}
          <br />
          {isHeard ? t('only_heard') : isExplained ? shared(`no_picture_${why}`) : t('no_crop')}
        </Text>
      )}
    </div>
  );
}

interface VideoPaneProps {
  readonly item: Unknown;
  readonly recording: Recording | undefined;
}

/** The recording of a detection in a loop, or its photo; plays muted unless reduced motion is preferred. */
export function VideoPane({ item, recording }: VideoPaneProps) {
  const { t } = useTranslation('review');
  const { t: shared } = useTranslation('components');
  const prefersReducedMotion = useReducedMotion();
  const [failed, setFailed] = useState<string>();
  useOnUnlock(() => setFailed(undefined));
  const kind = recording?.media_kind;
  const isPlayable = kind === 'video' || kind === 'audio';
  const isReady = isPlayable && recording?.media === 'ready' && recording.video_url !== failed;
  const address = isReady ? recording.video_url : undefined;
  const { from, to } = recording ? segmentOf(recording, item.id) : { from: 0, to: 1 };
  const video = useSegment(address, from, to);
  const isSilent = item.source === 'video';
  const togglePlaying = () => {
    const element = video.current;
    if (element?.paused === false) element.pause();
    else if (element) void playOr(element, () => setFailed(address));
  };
  useShortcuts({ p: togglePlaying });
  return (
    <div className={`${classes['pane']} ${classes['video']}`}>
      <video
        ref={video}
        hidden={!isReady}
        src={address === undefined ? undefined : hubUrl(address)}
        poster={kind === 'audio' && recording ? hubUrl(recording.poster_url) : undefined}
        aria-label={t(kind === 'audio' ? 'sound' : 'video')}
        autoPlay={isSilent && !prefersReducedMotion}
        muted={isSilent}
        loop
        controls
        playsInline
        preload="auto"
        onError={() => setFailed(address)}
      >
        {/* Bird sounds have no captions. */}
        <track kind="captions" />
      </video>
      {recording && kind === 'image' && <Photo address={recording.poster_url} />}
      {recording && !isReady && kind !== 'image' && (
        <Text p="md" ta="center">
          {recording.media === 'ready'
            ? t('no_video')
            : recording.media === 'none'
              ? (recording.note ?? t('seen_by_person'))
              : shared(`media_${recording.media}`)}
          <br />
          <Anchor
            c="inherit"
            renderRoot={(props) => (
              <Link {...props} to="/videos/$id" params={{ id: String(item.video_id) }} />
            )}
          >
            {t('open_recording')}
          </Anchor>
        </Text>
      )}
    </div>
  );
}

/** The complete photo of a sighting. */
function Photo({ address }: { readonly address: string }) {
  const { t } = useTranslation('review');
  const [hasFailed, setHasFailed] = useState(false);
  useOnUnlock(() => setHasFailed(false));
  if (hasFailed) return <Text p="md">{t('no_video')}</Text>;
  return (
    <HubPicture
      key={address}
      address={address}
      alt=""
      className={classes['whole']}
      sizes={cropSizes}
      onFailed={() => setHasFailed(true)}
    />
  );
}

/** Tolerance, as seeking is not exact to the millisecond. */
const toleranceSeconds = 0.5;

/** Loops a video within a segment (seconds). */
function useSegment(address: string | undefined, from: number, to: number) {
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    if (address === undefined) {
      // Removing `src` does not stop playback.
      element.pause();
      element.load();
      return undefined;
    }
    const keepWithin = () => {
      const isOutside = element.currentTime < from - toleranceSeconds || element.currentTime >= to;
      if (isOutside && !element.seeking) element.currentTime = from;
    };
    const begin = () => {
      element.currentTime = from;
    };
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    element.addEventListener('loadedmetadata', begin);
    element.addEventListener('timeupdate', keepWithin);
    return () => {
      element.removeEventListener('loadedmetadata', begin);
      element.removeEventListener('timeupdate', keepWithin);
    };
  }, [address, from, to]);
  useEffect(() => {
    const element = video.current;
    return () => {
      // Releases the buffered video.
      element?.removeAttribute('src');
      element?.load();
    };
  }, []);
  return video;
}

/** Seconds shown before and after a detection. */
const marginSeconds = 1;
const minSeconds = 2;

/** Returns the part of a recording that shows a detection, in seconds. */
function segmentOf(recording: Recording, detectionId: number): { from: number; to: number } {
  const row = recording.species.find(({ id }) => id === detectionId);
  const from = Math.max(0, (row?.start_time ?? 0) - marginSeconds);
  return { from, to: Math.max(from + minSeconds, (row?.end_time ?? 0) + marginSeconds) };
}
