import { useTranslation } from 'react-i18next';
import { useTimeFormat } from '../../lib/format';
import classes from './charts.module.css';
import { busiestHour, hourWedges } from './hour-wedges';

const radius = 100;
const inner = 30;
const quarters = [
  { hour: 0, x: 0, y: -radius - 10 },
  { hour: 6, x: radius + 14, y: 0 },
  { hour: 12, x: 0, y: radius + 11 },
  { hour: 18, x: -radius - 14, y: 0 },
];

/** Visits by hour of the day on a clock of 24 hours, midnight on top. */
export function HourClock({ counts }: { readonly counts: readonly number[] }) {
  const { t } = useTranslation('species');
  const { hour: fullHour, hourMark, number } = useTimeFormat();
  const busiest = busiestHour(counts);
  const label = busiest === undefined ? t('clock_empty') : t('clock', { hour: fullHour(busiest) });
  return (
    <svg className={classes['clock']} viewBox="-140 -122 280 244" role="img" aria-label={label}>
      {[radius, (radius + inner) / 2, inner].map((ring) => (
        <circle key={ring} r={ring} className={classes['ring']} />
      ))}
      {hourWedges(counts, inner, radius).map(({ hour, count, path }) => (
        <path key={hour} d={path} className={classes['wedge']} data-most={hour === busiest || undefined}>
          <title>{t('hour_count', { hour: fullHour(hour), count, visits: number(count) })}</title>
        </path>
      ))}
      {quarters.map(({ hour, x, y }) => (
        <text key={hour} x={x} y={y} className={classes['hour']}>
          {hourMark(hour)}
        </text>
      ))}
    </svg>
  );
}
