import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconSunrise, IconSunset } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useMeasures, useTimeFormat } from '../../lib/format';
import { Card } from './card';
import classes from './day-grid.module.css';
import { nightsOf, temperatureLines } from './draw-day';
import type { DaySummary } from './summarize-day';
import { overviewQuery, sunTimesQuery } from './today-queries';

interface DayGridProps {
  readonly day: string;
  readonly summary: DaySummary;
}

const marks = [0, 6, 12, 18];
const height = 100;
/** Number of rows before "show all". */
const initialRows = 12;
const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** Species by hour of the day, with all visits, the night, sunrise, sunset and temperature. */
export function DayGrid({ day, summary: { byHour, species } }: DayGridProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour, hourMark } = useTimeFormat();
  const speciesName = useSpeciesName();
  const [isExpanded, setExpanded] = useState(false);
  const busiest = byHour.indexOf(Math.max(...byHour));
  const peak = Math.max(1, ...species.flatMap((one) => one.byHour));
  return (
    <Card
      title={t('by_hour')}
      aside={
        byHour[busiest] ? (
          <Text size="sm" c="dimmed">
            {t('busiest', { from: fullHour(busiest), to: fullHour(busiest + 1), count: byHour[busiest] })}
          </Text>
        ) : undefined
      }
    >
      <DayCurve day={day} byHour={byHour} />
      <table className={classes['grid']}>
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th
                key={hour}
                scope="col"
                className={classes['hour']}
                data-mark={marks.includes(hour) || undefined}
              >
                <VisuallyHidden>{fullHour(hour)}</VisuallyHidden>
                {marks.includes(hour) && <span aria-hidden="true">{hourMark(hour)}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isExpanded ? species : species.slice(0, initialRows)).map((one) => (
            <tr key={one.species.id}>
              <th scope="row" className={classes['name']}>
                <Link to="/timeline" search={{ date: day, species_id: one.species.id }}>
                  {speciesName(one.species.name)}
                </Link>
              </th>
              {one.byHour.map((count, hour) => (
                <td
                  // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
                  key={hour}
                  className={classes['cell']}
                  style={
                    count
                      ? ({ '--share': `${Math.round(30 + (70 * count) / peak)}%` } as CSSProperties)
                      : undefined
                  }
                  data-count={count || undefined}
                  title={count ? `${fullHour(hour)}: ${t('visit_count', { count })}` : undefined}
                >
                  {count > 0 && <VisuallyHidden>{count}</VisuallyHidden>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {!isExpanded && species.length > initialRows && (
        <Button variant="light" fullWidth mt="sm" onClick={() => setExpanded(true)}>
          {t('show_all_species', { count: species.length })}
        </Button>
      )}
    </Card>
  );
}

interface DayCurveProps {
  readonly day: string;
  readonly byHour: readonly number[];
}

/** All visits by hour over the columns of the grid, with night and temperature. */
function DayCurve({ day, byHour }: DayCurveProps) {
  const { t } = useTranslation('today');
  const { hourOf, clock } = useTimeFormat();
  const { temperature } = useMeasures();
  const { data: overview } = useQuery(overviewQuery());
  const { data: sun } = useQuery(sunTimesQuery(day));
  const now = useNow();
  const max = Math.max(...byHour, 1);
  const temperatures = overview?.hourlyTemperature ?? [];
  const known = temperatures.filter((one) => one !== null);
  return (
    <div className={classes['top']}>
      <div className={classes['sky']}>
        {sun?.sunrise && (
          <span className={classes['sun']}>
            <IconSunrise size={16} stroke={1.6} role="img" aria-label={t('sunrise')} />
            {clock(sun.sunrise)}
          </span>
        )}
        {sun?.sunset && (
          <span className={classes['sun']}>
            <IconSunset size={16} stroke={1.6} role="img" aria-label={t('sunset')} />
            {clock(sun.sunset)}
          </span>
        )}
        {known.length > 1 && (
          <span className={classes['legend']}>
            {t('temperature_span', {
              least: temperature(Math.min(...known)),
              most: temperature(Math.max(...known)),
            })}
          </span>
        )}
      </div>
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
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
            key={hour}
            className={classes['bar']}
            x={hour + 0.12}
            width={0.76}
            y={height - (count / max) * height}
            height={(count / max) * height}
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
    </div>
  );
}
