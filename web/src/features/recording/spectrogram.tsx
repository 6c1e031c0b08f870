import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { SeekRange } from './player-controls';
import classes from './spectrogram.module.css';
import type { Player } from './use-player';

interface SpectrogramProps {
  readonly player: Player;
  /** As the hub gives it. */
  readonly url: string | null;
}

/** Spectrogram with the playback position; nothing without sound. */
export function Spectrogram({ player, url }: SpectrogramProps) {
  const { t } = useTranslation('recording');
  const [failedUrl, setFailedUrl] = useState<string>();
  if (url === null || url === failedUrl) return null;
  return (
    <Box mt="sm">
      <Text size="sm" fw={600} mb={4} id="spectrogram">
        {t('sound')}
      </Text>
      <div className={classes['sound']}>
        <img
          className={classes['picture']}
          src={hubUrl(url)}
          alt={t('spectrogram')}
          decoding="async"
          onError={() => setFailedUrl(url)}
        />
        <span className={classes['playhead']} />
        <SeekRange player={player} label={t('seek_sound')} isClear />
      </div>
    </Box>
  );
}
