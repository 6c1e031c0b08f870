import { Anchor, Text } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useShortcuts } from '../../components/shortcuts';
import type { Recording } from '../recording/recording-queries';
import classes from './review.module.css';
import type { Unknown } from './review-queue';
import { segmentOf } from './segment-of';
import { useSegment } from './use-segment';

interface VideoPaneProps {
  readonly item: Unknown;
  readonly recording: Recording | undefined;
}

/** The moment of a detection in its video, over and over; silent and by itself, unless nothing may move. */
export function VideoPane({ item, recording }: VideoPaneProps) {
  const { t } = useTranslation('review');
  const { t: say } = useTranslation('components');
  const isCalm = useReducedMotion();
  const [failed, setFailed] = useState<string>();
  const isReady = recording?.media === 'ready' && recording.video_url !== failed;
  const address = isReady ? recording.video_url : undefined;
  const { from, to } = recording ? segmentOf(recording, item.id) : { from: 0, to: 1 };
  const video = useSegment(address, from, to);
  const isSilent = item.source === 'video';
  const togglePlaying = () => {
    const element = video.current;
    if (element?.paused === false) element.pause();
    else element?.play().catch(() => setFailed(address));
  };
  useShortcuts({ p: togglePlaying });
  return (
    <div className={`${classes['pane']} ${classes['video']}`}>
      <video
        ref={video}
        hidden={!isReady}
        src={address === undefined ? undefined : hubUrl(address)}
        aria-label={t('video')}
        autoPlay={isSilent && !isCalm}
        muted={isSilent}
        loop
        controls
        playsInline
        preload="auto"
        onError={() => setFailed(address)}
      >
        {/* What birds say is not put into words. */}
        <track kind="captions" />
      </video>
      {recording && !isReady && (
        <Text p="md" ta="center">
          {recording.media === 'ready' ? t('no_video') : say(`media_${recording.media}`)}
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
