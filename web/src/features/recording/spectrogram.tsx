import { Box, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hubUrl } from '../../api/hub-url';
import { useOnUnlock } from '../../api/unlock';
import { useTimeFormat } from '../../lib/format';
import { SeekRange } from './player-controls';
import { positionText } from './playhead';
import type { Detection } from './recording-queries';
import classes from './spectrogram.module.css';
import type { Player } from './use-player';

interface SpectrogramProps {
  readonly player: Player;
  /** Null for a recording without sound. */
  readonly url: string | null;
  /** Frequency at the upper edge (the lower edge is 0); null if unknown. */
  readonly kilohertz: number | null;
  /** Audio detections are marked. */
  readonly detections: readonly Detection[];
}

const tickCount = 4;
const kilohertzStep = 4;
/** The ticks of a shorter recording show tenths of a second. */
const shortSeconds = 12;

/** Spectrogram with playback position, audio detections, time and frequency; renders nothing without sound. */
export function Spectrogram({ player, url, kilohertz, detections }: SpectrogramProps) {
  const { t } = useTranslation('recording');
  const [failedUrl, setFailedUrl] = useState<string>();
  useOnUnlock(() => setFailedUrl(undefined));
  if (url === null || url === failedUrl) return null;
  const { seconds } = player;
  const share = (time: number) => `${Math.min(100, (time / Math.max(seconds, 0.1)) * 100)}%`;
  const heard = detections.filter(({ source }) => source === 'audio');
  const ticks = Array.from({ length: tickCount + 1 }, (_, index) => (seconds * index) / tickCount);
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
        {heard.map(({ id, start_time: from, end_time: to }) => (
          <span
            key={id}
            className={classes['heard']}
            style={{ left: share(from), width: `calc(${share(to)} - ${share(from)})` }}
          />
        ))}
        {kilohertz !== null && <Frequencies kilohertz={kilohertz} />}
        <span className={classes['playhead']} />
        <SeekRange player={player} label={t('seek_sound')} isClear />
      </div>
      <div className={classes['ticks']} aria-hidden>
        {ticks.map((time) => (
          <span key={time}>{positionText(time, seconds < shortSeconds)}</span>
        ))}
      </div>
    </Box>
  );
}

/** Marks of the frequency axis; the top one shows the unit. */
function Frequencies({ kilohertz }: { readonly kilohertz: number }) {
  const { number } = useTimeFormat();
  const count = Math.floor(kilohertz / kilohertzStep);
  const marks = Array.from({ length: count }, (_, index) => (index + 1) * kilohertzStep);
  return (
    <span className={classes['frequencies']} aria-hidden>
      {marks.map((mark, index) => (
        <span key={mark} className={classes['frequency']} style={{ bottom: `${(100 * mark) / kilohertz}%` }}>
          {index === marks.length - 1 ? `${number(mark)} kHz` : number(mark)}
        </span>
      ))}
    </span>
  );
}
