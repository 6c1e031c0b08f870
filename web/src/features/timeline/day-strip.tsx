import { useMediaQuery } from '@mantine/hooks';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import { useRovingFocus } from '../../lib/use-roving-focus';
import classes from './day-strip.module.css';

interface DayStripProps {
  /** Visits of each of the 24 hours. */
  readonly counts: readonly number[];
  /** The hours in view. */
  readonly inView: { readonly from: number; readonly to: number } | undefined;
  readonly onGo: (hour: number) => void;
}

const maxBarPixels = 40;

/** Groups hours into bars that are wide enough to tap. */
const barsOf = (counts: readonly number[], hoursPerBar: number) =>
  Array.from({ length: 24 / hoursPerBar }, (_, bar) => {
    const from = bar * hoursPerBar;
    const to = from + hoursPerBar;
    return { from, to, visits: counts.slice(from, to).reduce((sum, count) => sum + count, 0) };
  });

/** Visits per hour as bars; a click scrolls to the hour. Memoized, as scrolling renders the parent often. */
export const DayStrip = memo(function DayStrip({ counts, inView, onGo }: DayStripProps) {
  const { t } = useTranslation('timeline');
  const { hour, hourMark } = useTimeFormat();
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const bars = barsOf(counts, isWide ? 1 : 2);
  const max = Math.max(1, ...bars.map(({ visits }) => visits));
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLDivElement>(bars.length, 'button');
  const isSeen = ({ from, to }: (typeof bars)[number]) =>
    inView !== undefined && inView.from < to && inView.to >= from;
  return (
    <div className={classes['strip']}>
      <div
        ref={container}
        className={classes['bars']}
        role="toolbar"
        aria-label={t('hours')}
        onKeyDown={onKeyDown}
      >
        {bars.map((bar, index) => (
          <button
            key={bar.from}
            type="button"
            className={classes['hour']}
            tabIndex={index === stop ? 0 : -1}
            aria-current={isSeen(bar) ? 'true' : undefined}
            aria-disabled={bar.visits === 0}
            aria-label={t('hour', { from: hour(bar.from), to: hour(bar.to), count: bar.visits })}
            title={t('hour', { from: hour(bar.from), to: hour(bar.to), count: bar.visits })}
            onFocus={() => setStop(index)}
            onClick={() => bar.visits > 0 && onGo(bar.to - 1)}
          >
            <span
              className={classes['bar']}
              style={{ height: bar.visits && Math.max(2, (bar.visits / max) * maxBarPixels) }}
            />
            <span className={classes['label']}>
              {bar.from % (isWide ? 2 : 4) === 0 && hourMark(bar.from)}
            </span>
          </button>
        ))}
      </div>
    </div>
  );
});
