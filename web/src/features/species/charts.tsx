import { Text, Title, VisuallyHidden } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import classes from './charts.module.css';
import { busiestHour, hourWedges } from './summary-figures';

interface SectionCardProps {
  readonly title: string;
  /** Period or number of visits that it covers. */
  readonly note?: string;
  readonly children: ReactNode;
}

/** A titled card of the species page. */
export function SectionCard({ title, note, children }: SectionCardProps) {
  const id = useId();
  return (
    <section className={classes['card']} aria-labelledby={id}>
      <div>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {note && (
          <Text size="xs" c="dimmed">
            {note}
          </Text>
        )}
      </div>
      {children}
    </section>
  );
}

const radius = 100;
const inner = 30;
const quarters = [
  { hour: 0, x: 0, y: -radius - 10 },
  { hour: 6, x: radius + 14, y: 0 },
  { hour: 12, x: 0, y: radius + 11 },
  { hour: 18, x: -radius - 14, y: 0 },
];

/** Visits by hour on a 24-hour clock, midnight on top. */
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

/** Bars of visits by month, January first. */
export function MonthBars({ counts }: { readonly counts: readonly number[] }) {
  const { t } = useTranslation('species');
  const { narrow, long } = useMonthNames();
  const max = Math.max(1, ...counts);
  return (
    <ol className={classes['months']}>
      {counts.map((count, month) => (
        <li
          key={long[month]}
          className={classes['month']}
          title={t('month_count', { month: long[month], count })}
        >
          <span className={classes['column']} aria-hidden="true">
            <span className={classes['bar']} style={{ height: `${(count / max) * 100}%` }} />
          </span>
          <span aria-hidden="true">{narrow[month]}</span>
          <VisuallyHidden>{t('month_count', { month: long[month], count })}</VisuallyHidden>
        </li>
      ))}
    </ol>
  );
}

interface ShareListProps {
  readonly rows: readonly { readonly name: string; readonly count: number }[];
}

/** Names with counts as bars. */
export function ShareList({ rows }: ShareListProps) {
  const { number } = useTimeFormat();
  const max = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <ul className={classes['shares']}>
      {rows.map(({ name, count }) => (
        <li key={name} className={classes['share']}>
          <Text size="sm" lh={1.3} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <span className={classes['length']} aria-hidden="true">
            <span className={classes['fill']} style={{ width: `${(count / max) * 100}%` }} />
          </span>
          <Text size="sm" ta="right" className={classes['figure']}>
            {number(count)}
          </Text>
        </li>
      ))}
    </ul>
  );
}
