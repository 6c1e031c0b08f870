import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useIsPhone } from '../../lib/use-media';
import { useRovingFocus } from '../../lib/use-roving-focus';
import classes from './day-strip.module.css';
import { firstCardFrom, placeOfCard, type TimelineLayout } from './timeline-layout';
import { stripPixels } from './use-list-view';
import type { LoadedDays } from './use-loaded-days';

interface DayStripProps {
  readonly day: Day;
  readonly loaded: LoadedDays;
  readonly layout: TimelineLayout;
  readonly y: number;
  readonly onGo: (offset: number) => void;
}

/** The hours of a single day; a click scrolls to the last visit that started in that hour or before. */
export function DayStrip({ day, loaded, layout, y, onGo }: DayStripProps) {
  const { hourOf, dayOf } = useTimeFormat();
  const visits = loaded.days.get(day)?.visits;
  const hours = useMemo(
    () =>
      (visits ?? []).map(({ start_time }) => (dayOf(start_time) < day ? -1 : Math.floor(hourOf(start_time)))),
    [visits, day, dayOf, hourOf],
  );
  const counts = useMemo(() => {
    const found = Array.from({ length: 24 }, () => 0);
    for (const hour of hours) if (hour >= 0) found[hour] = (found[hour] ?? 0) + 1;
    return found;
  }, [hours]);
  const first = firstCardFrom(layout, y + stripPixels);
  const hour = first && hours[first.at];
  const inView = hour === undefined ? undefined : { from: hour, to: hour };
  const go = (wanted: number) => {
    const at = hours.findIndex((one) => one <= wanted);
    const place = at === -1 ? undefined : placeOfCard(layout, { day, at });
    if (place) onGo(place.top - stripPixels);
  };
  return <HourBars counts={counts} inView={inView} onGo={go} />;
}

interface HourBarsProps {
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

/** Visits per hour as bars; a click scrolls to the hour. */
function HourBars({ counts, inView, onGo }: HourBarsProps) {
  const { t } = useTranslation('timeline');
  const { hour, hourMark } = useTimeFormat();
  const isPhone = useIsPhone();
  const bars = barsOf(counts, isPhone ? 2 : 1);
  const max = Math.max(1, ...bars.map(({ visits }) => visits));
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLDivElement>(
    bars.map(({ from }) => from),
    'button',
  );
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
        {bars.map((bar) => (
          <button
            key={bar.from}
            type="button"
            className={classes['hour']}
            tabIndex={bar.from === stop ? 0 : -1}
            aria-current={isSeen(bar) ? 'true' : undefined}
            aria-disabled={bar.visits === 0}
            aria-label={t('hour', { from: hour(bar.from), to: hour(bar.to), count: bar.visits })}
            title={t('hour', { from: hour(bar.from), to: hour(bar.to), count: bar.visits })}
            onFocus={() => setStop(bar.from)}
            onClick={() => bar.visits > 0 && onGo(bar.to - 1)}
          >
            <span
              className={classes['bar']}
              style={{ height: bar.visits && Math.max(2, (bar.visits / max) * maxBarPixels) }}
            />
            <span className={classes['label']}>
              {bar.from % (isPhone ? 4 : 2) === 0 && hourMark(bar.from)}
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}
