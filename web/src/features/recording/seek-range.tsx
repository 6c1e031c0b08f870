import { useTranslation } from 'react-i18next';
import { positionText } from './position-text';
import classes from './seek-range.module.css';
import { type Player, usePlayhead } from './use-player';

interface SeekRangeProps {
  readonly player: Player;
  readonly label: string;
  /** Shows nothing of itself but the focus, to lie over a picture of time. */
  readonly isClear?: boolean;
}

/** Where the recording has come to, to be moved by pointer and keys. */
export function SeekRange({ player, label, isClear = false }: SeekRangeProps) {
  const { t } = useTranslation('recording');
  const { playhead, seconds, seek } = player;
  const time = usePlayhead(playhead, (now) => Math.round(now * 20) / 20);
  return (
    <input
      type="range"
      className={classes['range']}
      data-clear={isClear || undefined}
      aria-label={label}
      aria-valuetext={t('position', { time: positionText(time), length: positionText(seconds) })}
      min={0}
      max={seconds}
      step={0.05}
      value={Math.min(time, seconds)}
      onChange={({ currentTarget }) => seek(Number(currentTarget.value))}
    />
  );
}
