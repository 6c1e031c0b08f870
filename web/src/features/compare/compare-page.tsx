import { Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type CSSProperties, memo } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { Chip, ChipRow } from '../../components/chips';
import { lazyComponent } from '../../components/lazy-part';
import { Page } from '../../components/page';
import { PartBoundary } from '../../components/part-boundary';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Empty, Failure, Loading } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { dimmedWhile, keepUntilLoaded } from '../../lib/previous-data';
import { useOnce } from '../../lib/use-once';
import classes from './compare.module.css';
import { pairOfSearch } from './compare-search';
import { changeOf, type Period, type PeriodPair, presets } from './periods';

type Comparison = components['schemas']['Comparison'];
type ComparedSpecies = Comparison['species'][number];

const comparisonQuery = ({ period, other }: PeriodPair) =>
  queryOptions({
    queryKey: ['overview', 'comparison', period, other],
    queryFn: ({ signal }) => {
      const query = {
        start_date: period.from,
        end_date: period.to,
        other_start_date: other.from,
        other_end_date: other.to,
      };
      return unwrap(hub.GET('/api/ui/comparison', { params: { query }, signal }));
    },
    ...keepUntilLoaded,
  });

/** Returns the periods that the numbers are of, as those of the previous choice are shown until the new ones arrive. */
function pairOfComparison({ periods }: Comparison, chosen: PeriodPair): PeriodPair {
  const [period, other] = periods.map(({ start_date, end_date }) => ({ from: start_date, to: end_date }));
  return { period: period ?? chosen.period, other: other ?? chosen.other };
}

const PeriodPicker = lazyComponent(() => import('./period-picker').then((file) => file.PeriodPicker));

const route = getRouteApi('/compare');

/** Two periods side by side: visits, species, hours. */
export function ComparePage() {
  const { t } = useTranslation('compare');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const pair = pairOfSearch(search, useToday());
  const isPreset = search.from === undefined;
  const { data, error, refetch, isPlaceholderData } = useQuery(comparisonQuery(pair));
  const [isChoosing, { open, close }] = useDisclosure(false);
  const wasChoosing = useOnce(isChoosing);
  const choose = ({ period, other }: PeriodPair) => {
    close();
    void navigate({
      search: { from: period.from, to: period.to, other_from: other.from, other_to: other.to },
      replace: true,
    });
  };
  return (
    <Page isWide title={t('title')}>
      <Stack gap="md">
        <ChipRow label={t('presets')}>
          {presets.map((preset) => (
            <Chip
              key={preset}
              isOn={isPreset && (search.preset ?? 'week') === preset}
              onClick={() => void navigate({ search: { preset }, replace: true })}
            >
              {t(`preset_${preset}`)}
            </Chip>
          ))}
          <Chip
            isOn={!isPreset}
            icon={<IconCalendar size={16} stroke={1.6} aria-hidden />}
            aria-haspopup="dialog"
            onClick={open}
          >
            {t('dates')}
          </Chip>
        </ChipRow>
        {wasChoosing && (
          <PartBoundary isOpen={isChoosing} onMissing={close}>
            <PeriodPicker isOpen={isChoosing} pair={pair} onChoose={choose} onClose={close} />
          </PartBoundary>
        )}
        {data ? (
          <Stack gap="md" {...dimmedWhile(isPlaceholderData)}>
            <ComparedPeriods comparison={data} pair={pairOfComparison(data, pair)} />
          </Stack>
        ) : error ? (
          <Failure error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading rows={6} height={72} />
        )}
      </Stack>
    </Page>
  );
}

interface ComparedProps {
  readonly comparison: Comparison;
  readonly pair: PeriodPair;
}

function ComparedPeriods({ comparison, pair }: ComparedProps) {
  const { t } = useTranslation('compare');
  const { dayRange } = useTimeFormat();
  const today = useToday();
  const { periods, species } = comparison;
  const [now, before] = periods;
  if (now === undefined || before === undefined || species.length === 0)
    return <Empty title={t('empty')}>{t('empty_hint')}</Empty>;
  const onlyIn = (index: 0 | 1) =>
    species.filter(({ visits }) => visits[index] !== 0 && visits[1 - index] === 0).length;
  const hasToday = [pair.period, pair.other].some(({ from, to }) => from <= today && today <= to);
  return (
    <>
      <Group gap="lg" className={classes['legend'] ?? ''}>
        <PeriodName kind="now" name={dayRange(pair.period.from, pair.period.to)} />
        <PeriodName kind="before" name={dayRange(pair.other.from, pair.other.to)} />
      </Group>
      {hasToday && (
        <Text size="sm" c="dimmed">
          {t('today_so_far')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
        <Figure label={t('visits')} now={now.visits} before={before.visits} />
        <Figure label={t('species')} now={now.species} before={before.species} />
        <Figure
          label={t('per_day')}
          now={now.visits / now.days.length}
          before={before.visits / before.days.length}
          digits={1}
        />
        <Figure label={t('only_now')} now={onlyIn(0)} before={onlyIn(1)} isOnly />
      </SimpleGrid>
      <DayBars comparison={comparison} pair={pair} />
      <HourHeat comparison={comparison} pair={pair} />
      <section aria-labelledby="compared-species">
        <Title order={2} size="h4" id="compared-species" mb="sm">
          {t('by_species')}
        </Title>
        <SpeciesTable species={species} pair={pair} />
      </section>
    </>
  );
}

function PeriodName({ kind, name }: { readonly kind: 'now' | 'before'; readonly name: string }) {
  return (
    <span className={classes['period']}>
      <span className={classes['swatch']} data-kind={kind} aria-hidden="true" />
      {name}
    </span>
  );
}

interface FigureProps {
  readonly label: string;
  readonly now: number;
  readonly before: number;
  readonly digits?: number;
  /** Whether the numbers are of species that the other period lacks: without the relative change. */
  readonly isOnly?: boolean;
}

function Figure({ label, now, before, digits = 0, isOnly = false }: FigureProps) {
  const { t } = useTranslation('compare');
  const { number } = useTimeFormat();
  return (
    <Paper withBorder p="sm" radius="md" className={classes['figure'] ?? ''}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className={classes['number'] ?? ''}>{number(now, digits)}</Text>
      <Group gap={6} wrap="nowrap">
        {!isOnly && before > 0 && <Change now={now} before={before} />}
        <Text size="sm" c="dimmed">
          {t(isOnly ? 'only_before' : 'before', { value: number(before, digits) })}
        </Text>
      </Group>
    </Paper>
  );
}

/** The relative change in per cent; colour and sign show its direction. */
function Change({ now, before }: { readonly now: number; readonly before: number }) {
  const { t } = useTranslation('compare');
  const { language } = useTimeFormat();
  const change = changeOf(now, before);
  if (change === undefined) return now > 0 ? <span className={classes['change']}>{t('new')}</span> : null;
  const text = new Intl.NumberFormat(language, {
    style: 'percent',
    signDisplay: 'exceptZero',
    maximumFractionDigits: 0,
  }).format(change);
  const direction = change > 0 ? 'up' : change < 0 ? 'down' : 'same';
  return (
    <span className={classes['change']} data-direction={direction}>
      {text}
    </span>
  );
}

/** With more days, bars are too narrow for links or for names of weekdays. */
const maxLinkedDays = 31;
const maxNamedDays = 7;
const maxDayLabels = 8;

/** Visits per day, both periods side by side. */
function DayBars({ comparison, pair }: ComparedProps) {
  const { t } = useTranslation('compare');
  const { number, shortDay, shortWeekday } = useTimeFormat();
  const [now, before] = comparison.periods.map(({ days }) => days);
  if (now === undefined || before === undefined) return null;
  const count = Math.max(now.length, before.length);
  const max = Math.max(1, ...now, ...before);
  const dayAt = (period: Period, index: number) => addDaysTo(period.from, index);
  const isLinked = count <= maxLinkedDays;
  const step = Math.ceil(count / maxDayLabels);
  const label = (day: string) => (count <= maxNamedDays ? shortWeekday(day) : shortDay(day));
  return (
    <section aria-labelledby="compared-days">
      <Title order={2} size="h4" id="compared-days" mb="sm">
        {t('by_day')}
      </Title>
      <ol
        className={classes['bars']}
        data-many={!isLinked || undefined}
        aria-label={t('by_day_label', { now: number(sum(now)), before: number(sum(before)) })}
      >
        {Array.from({ length: count }, (_, index) => {
          const [one, other] = [now[index], before[index]];
          const key = dayAt(pair.period, index);
          const otherDay = dayAt(pair.other, index);
          // The other period may be longer.
          const day = one === undefined ? otherDay : key;
          const title = [
            one !== undefined && `${shortDay(day)}: ${number(one)}`,
            other !== undefined && `${shortDay(otherDay)}: ${number(other)}`,
          ]
            .filter(Boolean)
            .join('; ');
          const bars = (
            <>
              <span className={classes['columns']}>
                <span data-kind="before" style={{ height: `${((other ?? 0) / max) * 100}%` }} />
                <span data-kind="now" style={{ height: `${((one ?? 0) / max) * 100}%` }} />
              </span>
              <span className={classes['dayLabel']} aria-hidden="true">
                {index % step === 0 && label(day)}
              </span>
            </>
          );
          return (
            <li key={key} className={classes['day']} title={title}>
              {isLinked ? (
                <Link to="/timeline" search={{ date: day }} className={classes['dayLink']} aria-label={title}>
                  {bars}
                </Link>
              ) : (
                bars
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function addDaysTo(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);

/** Visits per hour as shaded cells that link to the visits. */
function HourHeat({ comparison, pair }: ComparedProps) {
  const { t } = useTranslation('compare');
  const { hourMark, hour, dayRange } = useTimeFormat();
  const max = Math.max(1, ...comparison.periods.flatMap((period) => period.hours));
  const rows = [
    { kind: 'now', period: pair.period, counts: comparison.periods[0]?.hours ?? [] },
    { kind: 'before', period: pair.other, counts: comparison.periods[1]?.hours ?? [] },
  ] as const;
  return (
    <section aria-labelledby="compared-hours">
      <Title order={2} size="h4" id="compared-hours" mb="sm">
        {t('by_hour')}
      </Title>
      <div className={classes['heat']}>
        {rows.map(({ kind, period, counts }) => (
          <div key={kind} className={classes['heatRow']}>
            <span className={classes['swatch']} data-kind={kind} title={dayRange(period.from, period.to)} />
            {hours.map((of) => {
              const visits = counts[of] ?? 0;
              const label = t('hour_visits', { hour: `${hour(of)}–${hour(of + 1)}`, count: visits });
              const style = { '--heat': visits / max } as CSSProperties;
              if (visits === 0) return <span key={of} className={classes['cell']} title={label} />;
              return (
                <Link
                  key={of}
                  className={classes['cell']}
                  style={style}
                  to="/timeline"
                  search={{ from: period.from, to: period.to, hour: of }}
                  aria-label={`${dayRange(period.from, period.to)}, ${label}`}
                  title={label}
                />
              );
            })}
          </div>
        ))}
        <div className={classes['heatRow']} aria-hidden="true">
          <span />
          {hours.map((of) => (
            <span key={of} className={classes['mark']}>
              {of % 3 === 0 && hourMark(of)}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

interface SpeciesTableProps {
  readonly species: readonly ComparedSpecies[];
  readonly pair: PeriodPair;
}

/** Visits of each species in both periods; the bars link to the visits. */
function SpeciesTable({ species, pair }: SpeciesTableProps) {
  const max = Math.max(1, ...species.flatMap(({ visits }) => visits));
  return (
    <ul className={classes['species']}>
      {species.map((one) => (
        <SpeciesRow key={one.id} species={one} pair={pair} max={max} />
      ))}
    </ul>
  );
}

interface SpeciesRowProps {
  readonly species: ComparedSpecies;
  readonly pair: PeriodPair;
  readonly max: number;
}

const SpeciesRow = memo(function SpeciesRow({ species, pair, max }: SpeciesRowProps) {
  const { t } = useTranslation('compare');
  const { number, dayRange } = useTimeFormat();
  const nameOf = useSpeciesName();
  const [now = 0, before = 0] = species.visits;
  const bars = [
    { kind: 'now', visits: now, period: pair.period },
    { kind: 'before', visits: before, period: pair.other },
  ] as const;
  return (
    <li className={classes['speciesRow']}>
      <Link to="/species/$id" params={{ id: String(species.id) }} className={classes['name']}>
        <span className={classes['picture']}>
          <SpeciesPicture url={species.image_url} alt="" ratio={1} sizes="36px" />
        </span>
        {nameOf(species.name)}
      </Link>
      <span className={classes['pair']}>
        {bars.map(({ kind, visits, period }) => (
          <Link
            key={kind}
            to="/timeline"
            search={{ from: period.from, to: period.to, species_id: species.id }}
            className={classes['track']}
            disabled={visits === 0}
            aria-label={`${nameOf(species.name)}, ${dayRange(period.from, period.to)}, ${t('visits')}: ${number(visits)}`}
          >
            <span data-kind={kind} className={classes['bar']} style={{ width: `${(visits / max) * 100}%` }} />
            {number(visits)}
          </Link>
        ))}
      </span>
      <Change now={now} before={before} />
    </li>
  );
});
