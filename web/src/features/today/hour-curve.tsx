import { Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../lib/clock';
import { useMeasures, useTimeFormat } from '../../lib/format';
import { Card } from './card';
import { nightsOf, temperatureLines } from './draw-day';
import classes from './hour-curve.module.css';
import { overviewQuery, sunTimesQuery } from './today-queries';

interface HourCurveProps {
  readonly day: string;
  /** Visits by the hour of their start, 24 of them. */
  readonly byHour: readonly number[];
}

const marks = [0, 6, 12, 18, 24];
const height = 100;

/** Visits by hour with night and temperature. */
export function HourCurve({ day, byHour }: HourCurveProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour, hourMark, hourOf } = useTimeFormat();
  const { temperature } = useMeasures();
  const { data: overview } = useQuery(overviewQuery());
  const { data: sun } = useQuery(sunTimesQuery(day));
  const now = useNow();
  const most = Math.max(...byHour, 1);
  const temperatures = overview?.hourlyTemperature ?? [];
  const known = temperatures.filter((one) => one !== null);
  const busiest = byHour.indexOf(Math.max(...byHour));
  return (
    <Card
      title={t('by_hour')}
      aside={
        <Text size="sm" c="dimmed">
          {t('busiest', { from: fullHour(busiest), to: fullHour(busiest + 1), count: byHour[busiest] ?? 0 })}
        </Text>
      }
    >
      <svg
        className={classes['curve']}
        viewBox={`0 0 24 ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {nightsOf(sun, hourOf).map(({ from, to }) => (
          <rect key={from} className={classes['night']} x={from} width={to - from} height={height} />
        ))}
        {byHour.map((count, hour) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is the hour.
            key={hour}
            className={classes['bar']}
            x={hour + 0.12}
            width={0.76}
            y={height - (count / most) * height}
            height={(count / most) * height}
          />
        ))}
        {temperatureLines(temperatures).map((line) => (
          <polyline
            key={line[0]?.x}
            className={classes['temperature']}
            points={line.map(({ x, y }) => `${x},${y * height}`).join(' ')}
          />
        ))}
        <line className={classes['now']} x1={hourOf(now)} x2={hourOf(now)} y1={0} y2={height} />
      </svg>
      <div className={classes['hours']} aria-hidden="true">
        {marks.map((hour) => (
          <span key={hour}>{hourMark(hour)}</span>
        ))}
      </div>
      {known.length > 1 && (
        <Text size="sm" c="dimmed" className={classes['legend']}>
          {t('temperature_span', {
            least: temperature(Math.min(...known)),
            most: temperature(Math.max(...known)),
          })}
        </Text>
      )}
      <VisuallyHidden>
        <HourTable byHour={byHour} temperatures={temperatures} />
      </VisuallyHidden>
    </Card>
  );
}

interface HourTableProps {
  readonly byHour: readonly number[];
  readonly temperatures: readonly (number | null)[];
}

/** The data of the chart as a table for screen readers. */
function HourTable({ byHour, temperatures }: HourTableProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour, number } = useTimeFormat();
  const { temperature } = useMeasures();
  const hours = [...byHour.entries()].filter(([, count]) => count > 0);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{t('hour')}</th>
          <th scope="col">{t('visits')}</th>
          <th scope="col">{t('temperature')}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map(([hour, count]) => (
          <tr key={hour}>
            <th scope="row">{`${fullHour(hour)}–${fullHour(hour + 1)}`}</th>
            <td>{number(count)}</td>
            <td>{typeof temperatures[hour] === 'number' ? temperature(temperatures[hour]) : '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
