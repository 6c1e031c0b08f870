import { Button, Text, VisuallyHidden } from '@mantine/core';
import { IconSunrise, IconSunset } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { DaySummary, SpeciesOfDay } from '../../components/visits/summarize-day';
import { useSpeciesName } from '../../i18n/species-names';
import { useNow } from '../../lib/clock';
import { useMeasures, useTimeFormat } from '../../lib/format';
import { showMore } from '../../lib/show-more';
import { useRovingFocus } from '../../lib/use-roving-focus';
import scale from '../calendar/calendar.module.css';
import { heatBounds, heatLevel, shortCount } from '../calendar/heat';
import { Card } from './card';
import classes from './day-grid.module.css';
import { nightsOf, temperatureLines } from './draw-day';
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

/** Species by hour of the day, with all visits, the night, sunrise, sunset and temperature. Scrolls where it is narrow. */
export function DayGrid({ day, summary: { byHour, species } }: DayGridProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour } = useTimeFormat();
  const [isExpanded, setExpanded] = useState(false);
  const busiest = byHour.indexOf(Math.max(...byHour));
  const bounds = heatBounds(Math.max(0, ...species.flatMap((one) => one.byHour)));
  const shown = isExpanded ? species : species.slice(0, initialRows);
  const linked = shown.flatMap((one) =>
    one.byHour.flatMap((count, hour) => (count > 0 ? [keyOf(one.species, hour)] : [])),
  );
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLTableSectionElement>(linked, 'td > a');
  const scrolled = useScrollToHour(byHour.findIndex((count) => count > 0));
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
      <div ref={scrolled} className={classes['scrolled']}>
        <DayCurve day={day} byHour={byHour} />
        <table className={classes['grid']}>
          <HourHeader />
          <tbody
            ref={container}
            onKeyDown={(event) => {
              const cell = event.target instanceof Element ? event.target.closest('td') : null;
              if (!cell) return;
              if (event.key in rowSteps) focusOtherRow(event, cell);
              else onKeyDown(event);
            }}
          >
            {shown.map((one) => (
              <SpeciesRow
                key={one.species.id}
                day={day}
                summary={one}
                bounds={bounds}
                stop={stop}
                onFocus={setStop}
              />
            ))}
          </tbody>
        </table>
      </div>
      {!isExpanded && species.length > initialRows && (
        <Button
          variant="light"
          fullWidth
          mt="sm"
          onClick={() => showMore(container.current, () => setExpanded(true))}
        >
          {t('show_all_species', { count: species.length })}
        </Button>
      )}
    </Card>
  );
}

/** The hours as column headers; every sixth is visible. */
function HourHeader() {
  const { hour: fullHour, hourMark } = useTimeFormat();
  return (
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
  );
}

/** Identifies the cell of a species and an hour. */
const keyOf = ({ id }: SpeciesOfDay['species'], hour: number) => `${id} ${hour}`;

interface SpeciesRowProps {
  readonly day: string;
  readonly summary: SpeciesOfDay;
  readonly bounds: readonly number[];
  /** Key of the cell with the tab stop. */
  readonly stop: string | number | undefined;
  /** Called with the key of the cell that gets the focus. */
  readonly onFocus: (key: string) => void;
}

/** A species and its visits in each hour, which link to them. */
function SpeciesRow({ day, summary: { species, byHour }, bounds, stop, onFocus }: SpeciesRowProps) {
  const { t } = useTranslation('today');
  const { hour: fullHour } = useTimeFormat();
  const name = useSpeciesName()(species.name);
  return (
    <tr>
      <th scope="row" className={classes['name']}>
        <Link to="/timeline" search={{ date: day, species_id: species.id }}>
          {name}
        </Link>
      </th>
      {byHour.map((count, hour) => {
        if (count === 0) {
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
          return <td key={hour} className={classes['cell']} />;
        }
        const label = `${fullHour(hour)}–${fullHour(hour + 1)}: ${t('visit_count', { count })}`;
        const key = keyOf(species, hour);
        return (
          <td
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour.
            key={hour}
            className={`${classes['cell']} ${scale['shade']}`}
            data-level={heatLevel(count, bounds)}
            title={label}
          >
            <Link
              className={classes['count']}
              to="/timeline"
              search={{ date: day, species_id: species.id, hour }}
              preload={false}
              tabIndex={key === stop ? 0 : -1}
              onFocus={() => onFocus(key)}
              aria-label={`${name}, ${label}`}
            >
              {shortCount(count)}
            </Link>
          </td>
        );
      })}
    </tr>
  );
}

const rowSteps: Readonly<Record<string, 'previousElementSibling' | 'nextElementSibling'>> = {
  ArrowUp: 'previousElementSibling',
  ArrowDown: 'nextElementSibling',
};

/** Focuses the number in the row above or below that is nearest to the hour of a cell. */
function focusOtherRow(event: KeyboardEvent, { cellIndex, parentElement: row }: HTMLTableCellElement): void {
  event.preventDefault();
  const cells = [...(row?.[rowSteps[event.key] ?? 'nextElementSibling']?.querySelectorAll('td') ?? [])];
  const distance = (cell: HTMLTableCellElement) => Math.abs(cell.cellIndex - cellIndex);
  const [nearest] = cells
    .filter((cell) => cell.firstElementChild !== null)
    .sort((one, other) => distance(one) - distance(other));
  nearest?.querySelector('a')?.focus();
}

/** Returns a ref for a container of the hours; scrolls to an hour when it is first shown. */
function useScrollToHour(hour: number) {
  const container = useRef<HTMLDivElement>(null);
  const first = useRef(hour);
  useLayoutEffect(() => {
    const element = container.current;
    // The names stay in place.
    const column = element?.querySelector<HTMLElement>('thead th');
    if (element && column) element.scrollLeft = Math.max(0, first.current) * column.offsetWidth;
  }, []);
  return container;
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
