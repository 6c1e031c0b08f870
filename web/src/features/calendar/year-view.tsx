import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, memo, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useToday } from '../../lib/clock';
import { addDays, daysBetween } from '../../lib/days';
import { useMonthNames, useTimeFormat } from '../../lib/format';
import { dimmedWhile, keepUntilLoaded } from '../../lib/previous-data';
import { useSightings } from '../../lib/species-list';
import { useRovingFocus } from '../../lib/use-roving-focus';
import { SpeciesLink } from './labels';
import classes from './year-view.module.css';

type Phenology = components['schemas']['Phenology'];
type YearSpecies = Phenology['species'][number];

const phenologyQuery = (year: number) =>
  queryOptions({
    queryKey: ['calendar', 'phenology', year],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/phenology', { params: { query: { year } }, signal })),
    ...keepUntilLoaded,
  });

/** Arrival, departure and peak of each species in a year, and the cumulative number of species. */
export function YearView({ year: chosen }: { readonly year: number | undefined }) {
  const { t } = useTranslation('calendar');
  const today = useToday();
  const wanted = chosen ?? Number(today.slice(0, 4));
  const { data, error, refetch, isPlaceholderData } = useQuery(phenologyQuery(wanted));
  const { data: before } = useQuery(phenologyQuery(wanted - 1));
  const sightings = useSightings();
  if (data === undefined) {
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} />
    ) : (
      <Loading rows={12} height={32} />
    );
  }
  if (data.species.length === 0) {
    if (sightings !== null) return <Empty title={t('empty_year', { year: data.year })} />;
    return (
      <Empty
        title={t('empty')}
        action={<Button renderRoot={(props) => <Link to="/" {...props} />}>{t('to_today')}</Button>}
      >
        {t('empty_hint')}
      </Empty>
    );
  }
  const { year } = data;
  return (
    <Stack gap="lg" {...dimmedWhile(isPlaceholderData)}>
      <Accumulation
        year={year}
        now={data.accumulation}
        before={before?.year === year - 1 ? before.accumulation : []}
      />
      <section aria-labelledby="year-species">
        <Title order={2} size="h4" id="year-species" mb="xs">
          {t('weeks')}
        </Title>
        <MonthAxis />
        <ul className={classes['list']}>
          {data.species.map((species) => (
            <YearRow key={species.id} species={species} year={year} />
          ))}
        </ul>
      </section>
    </Stack>
  );
}

/** Returns the start of a day as a fraction of the year. */
function shareOfYear(day: string): number {
  const first = `${day.slice(0, 4)}-01-01`;
  return daysBetween(first, day) / 366;
}

function MonthAxis() {
  const { narrow, long } = useMonthNames();
  return (
    <div className={classes['row']} aria-hidden="true">
      <span className={classes['axis']}>
        {long.map((name, month) => (
          <span
            key={name}
            style={{ left: `${shareOfYear(`2024-${String(month + 1).padStart(2, '0')}-01`) * 100}%` }}
          >
            {narrow[month]}
          </span>
        ))}
      </span>
    </div>
  );
}

interface YearRowProps {
  readonly species: YearSpecies;
  readonly year: number;
}

const YearRow = memo(function YearRow({ species, year }: YearRowProps) {
  const { shortDay } = useTimeFormat();
  const { t } = useTranslation('calendar');
  const nameOf = useSpeciesName();
  const words = useStayText()(species);
  const max = Math.max(1, ...species.weeks);
  const linked = species.weeks.flatMap((visits, week) => (visits > 0 ? [week] : []));
  const { container, stop, setStop, onKeyDown } = useRovingFocus<HTMLDivElement>(linked, 'a');
  return (
    <li className={classes['row']}>
      <span className={classes['name']}>
        <SpeciesLink species={species} />
        <Text size="xs" c="dimmed" component="span" className={classes['words'] ?? ''}>
          {words}
        </Text>
      </span>
      <div
        ref={container}
        className={classes['weeks']}
        role="toolbar"
        aria-label={`${nameOf(species.name)}: ${t('weeks')}`}
        onKeyDown={onKeyDown}
      >
        {species.weeks.map((visits, week) => {
          const from = addDays(`${year}-01-01`, week * 7);
          const to = week === 52 ? `${year}-12-31` : addDays(from, 6);
          if (visits === 0) return <span key={from} className={classes['week']} />;
          const label = t('week_visits', { name: nameOf(species.name), day: shortDay(from), count: visits });
          return (
            <Link
              key={from}
              to="/timeline"
              search={{ from, to, species_id: species.id }}
              className={classes['week']}
              style={{ '--height': Math.sqrt(visits / max) } as CSSProperties}
              data-peak={
                species.peak !== null && from <= species.peak.start_date && species.peak.start_date <= to
                  ? true
                  : undefined
              }
              tabIndex={week === stop ? 0 : -1}
              onFocus={() => setStop(week)}
              aria-label={label}
              title={label}
            />
          );
        })}
        {species.stays.flatMap(({ start_date, end_date, arrives, departs }) => [
          arrives && <Mark key={start_date} day={start_date} kind="arrival" />,
          departs && <Mark key={`${end_date} end`} day={end_date} kind="departure" />,
        ])}
      </div>
    </li>
  );
});

function Mark({ day, kind }: { readonly day: string; readonly kind: 'arrival' | 'departure' }) {
  const { t } = useTranslation('calendar');
  const { shortDay } = useTimeFormat();
  return (
    <span
      className={classes['mark']}
      data-kind={kind}
      style={{ left: `${shareOfYear(day) * 100}%` }}
      title={t(`${kind}_on`, { day: shortDay(day) })}
    />
  );
}

/** Returns a function that describes arrival, departure and peak of a species. */
function useStayText(): (species: YearSpecies) => string {
  const { t } = useTranslation('calendar');
  const { shortDay } = useTimeFormat();
  return ({ stays, peak, visits, is_first_ever, first_date }) => {
    const moves = stays.flatMap(({ start_date, end_date, arrives, departs }) => [
      arrives && t('arrival_on', { day: shortDay(start_date) }),
      departs && t('departure_on', { day: shortDay(end_date) }),
    ]);
    return [
      t('year_visits', { count: visits }),
      is_first_ever && t('first_ever', { day: shortDay(first_date) }),
      ...moves,
      peak && t('peak_on', { day: shortDay(peak.start_date) }),
    ]
      .filter(Boolean)
      .join(' · ');
  };
}

interface AccumulationProps {
  readonly year: number;
  readonly now: Phenology['accumulation'];
  readonly before: Phenology['accumulation'];
}

const chart = { width: 1_000, height: 180 };

/** Cumulative number of species over the year, with the previous year in the background. */
function Accumulation({ year, now, before }: AccumulationProps) {
  const { t } = useTranslation('calendar');
  const { number } = useTimeFormat();
  const today = useToday();
  const max = Math.max(1, now.at(-1)?.species ?? 0, before.at(-1)?.species ?? 0);
  const end = today.startsWith(String(year)) ? today : `${year}-12-31`;
  const lines = useMemo(
    () => ({
      now: stepsOf(now, max, end),
      before: stepsOf(before, max, `${year - 1}-12-31`),
    }),
    [now, before, max, end, year],
  );
  const total = now.at(-1)?.species ?? 0;
  const byThen = before.findLast(({ date }) => date.slice(5) <= end.slice(5))?.species ?? 0;
  return (
    <Paper withBorder p="md" radius="md" component="section" className={classes['card'] ?? ''}>
      <Group justify="space-between" gap="xs" mb="xs">
        <Title order={2} size="h4">
          {t('accumulation', { count: total })}
        </Title>
        {before.length > 0 && (
          <Text size="sm" c="dimmed">
            {t('accumulation_before', { year: String(year - 1), value: number(byThen) })}
          </Text>
        )}
      </Group>
      <svg
        className={classes['curve']}
        viewBox={`0 0 ${chart.width} ${chart.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('accumulation', { count: total })}
      >
        {before.length > 0 && <path d={lines.before} className={classes['before']} />}
        <path d={lines.now} className={classes['now']} />
      </svg>
    </Paper>
  );
}

/** Returns the cumulative count, from the first species on, as an SVG path; `max` is the top of the chart. */
function stepsOf(steps: Phenology['accumulation'], max: number, end: string): string {
  const x = (day: string) => (shareOfYear(day) * chart.width).toFixed(1);
  const y = (species: number) => (chart.height - 4 - (species / max) * (chart.height - 12)).toFixed(1);
  const drawn = steps.map(({ date, species }) => `H${x(date)}V${y(species)}`);
  const start = x(steps[0]?.date ?? `${end.slice(0, 4)}-01-01`);
  return `M${start} ${y(0)}${drawn.join('')}H${x(end)}`;
}
