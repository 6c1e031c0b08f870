import {
  Button,
  Group,
  NativeSelect,
  SegmentedControl,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
} from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { hubUrl } from '../../api/hub-url';
import { problemText } from '../../api/problem';
import { SpeciesPicture } from '../../components/pictures/species-picture';
import { Empty } from '../../components/states';
import { useSpeciesName } from '../../i18n/species-names';
import { useToday } from '../../lib/clock';
import { useTimeFormat } from '../../lib/format';
import { useSightings } from '../../lib/species-list';
import { maxPeriodDays, monthBefore, monthsOf, type Period, periodFault, periodOf, windowOf } from './period';
import { PeriodFields } from './period-fields';
import classes from './report-section.module.css';
import { Section } from './section';

const route = getRouteApi('/reports');

/** PDF report of a month or other days, by default of the latest month with sightings. */
export function ReportSection() {
  const { t, i18n } = useTranslation('reports');
  const { month: monthName, shortDay, zone } = useTimeFormat();
  const today = useToday();
  const sightings = useSightings();
  const { month } = route.useSearch();
  const navigate = route.useNavigate();
  const [days, setDays] = useState<Period>();
  const chosenMonth = month ?? sightings?.last.slice(0, 7) ?? monthBefore(today);
  const period = days ?? periodOf(chosenMonth);
  const isValid = periodFault(period, maxPeriodDays.report) === undefined;
  const isRequested = isValid && (days !== undefined || month !== undefined || sightings !== undefined);
  const { figures, error } = usePeriodFigures(period, isRequested);
  const canDownload = isRequested && figures?.visits !== 0;
  const parameters = isValid && days ? windowOf(days, zone) : { month: chosenMonth };
  const address = hubUrl(
    `/api/ui/report/pdf?${new URLSearchParams({ ...parameters, language: i18n.language })}`,
  );
  const name = days
    ? isValid
      ? `${shortDay(days.from)} – ${shortDay(days.to)}`
      : '…'
    : monthName(chosenMonth);
  return (
    <Section title={t('report')} about={t('report_about')}>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        <Stack>
          <SegmentedControl
            aria-label={t('report_of')}
            value={days ? 'days' : 'month'}
            onChange={(kind) => setDays(kind === 'days' ? periodOf(chosenMonth) : undefined)}
            data={[
              { value: 'month', label: t('a_month') },
              { value: 'days', label: t('other_days') },
            ]}
          />
          {days ? (
            <PeriodFields period={days} onChange={setDays} maxDays={maxPeriodDays.report} />
          ) : (
            <MonthSelect
              value={chosenMonth}
              onChange={(chosen) =>
                void navigate({ search: { month: chosen }, replace: true, resetScroll: false })
              }
            />
          )}
          <Button
            size="lg"
            leftSection={<IconDownload size={22} aria-hidden />}
            renderRoot={(props) =>
              canDownload ? <a {...props} href={address} download /> : <button {...props} type="button" />
            }
            disabled={!canDownload}
          >
            {t('download_report')}
          </Button>
        </Stack>
        <ReportFigures figures={figures} error={error} isRequested={isRequested} name={name} />
      </SimpleGrid>
    </Section>
  );
}

interface MonthSelectProps {
  readonly value: string;
  readonly onChange: (month: string) => void;
}

function MonthSelect({ value, onChange }: MonthSelectProps) {
  const { t } = useTranslation('reports');
  const { month: monthName } = useTimeFormat();
  const today = useToday();
  const first = useSightings()?.first ?? today;
  const months = new Set([...monthsOf({ from: first, to: today }), value, monthBefore(today)]);
  return (
    <NativeSelect
      label={t('month')}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[...months]
        .sort()
        .reverse()
        .map((month) => ({ value: month, label: monthName(month) }))}
    />
  );
}

const maxShown = 5;

interface ReportFiguresProps {
  /** Undefined while loading. */
  readonly figures: PeriodFigures | undefined;
  readonly error: Error | null;
  /** Whether the figures are requested. */
  readonly isRequested: boolean;
  /** Name of the period. */
  readonly name: string;
}

/** Preview of the report. */
function ReportFigures({ figures, error, isRequested, name }: ReportFiguresProps) {
  const { t } = useTranslation('reports');
  return (
    <div className={classes['figures']} aria-live="polite">
      {figures ? (
        <Figures figures={figures} name={name} />
      ) : error ? (
        <Text role="alert">{problemText(t, error)}</Text>
      ) : (
        isRequested && <Skeleton height="100%" mih={280} />
      )}
    </div>
  );
}

function Figures({ figures, name }: { readonly figures: PeriodFigures; readonly name: string }) {
  const { t } = useTranslation('reports');
  const { number, shortDay } = useTimeFormat();
  const { visits, species, daysWithVisits, best } = figures;
  if (visits === 0) return <Empty title={t('empty_period', { name })}>{t('empty_period_hint')}</Empty>;
  return (
    <Stack gap="sm">
      <Group gap="xl">
        {[
          [number(visits), t('visits', { count: visits })],
          [number(species.length), t('species', { count: species.length })],
          [number(daysWithVisits), t('days', { count: daysWithVisits })],
        ].map(([value, label]) => (
          <div key={label}>
            <Text size="xl" fw={650} className={classes['number']}>
              {value}
            </Text>
            <Text size="sm" c="dimmed">
              {label}
            </Text>
          </div>
        ))}
      </Group>
      <ol className={classes['species']}>
        {species.slice(0, maxShown).map((one) => (
          <TopSpecies key={one.id} species={one} max={species[0]?.total ?? 1} />
        ))}
      </ol>
      <Text size="sm" c="dimmed">
        {species.length > maxShown && `${t('more_species', { count: species.length - maxShown })} `}
        {best && t('best_day', { day: shortDay(best.date), count: best.visits })}
      </Text>
    </Stack>
  );
}

interface TopSpeciesProps {
  readonly species: PeriodFigures['species'][number];
  readonly max: number;
}

function TopSpecies({ species: { id, name, image_url, total }, max }: TopSpeciesProps) {
  const { number } = useTimeFormat();
  const nameOf = useSpeciesName();
  return (
    <li className={classes['row']}>
      <SpeciesPicture url={image_url} alt="" ratio={1} sizes="40px" />
      <Link to="/species/$id" params={{ id: String(id) }} className={classes['name']}>
        {nameOf(name)}
      </Link>
      <span className={classes['number']}>{number(total)}</span>
      <span className={classes['bar']} style={{ inlineSize: `${(total / max) * 100}%` }} />
    </li>
  );
}

const speciesQuery = (period: Period) =>
  queryOptions({
    queryKey: ['calendar', 'period', period],
    queryFn: async ({ signal }) => {
      const query = { catalog: 'full', start_date: period.from, end_date: period.to } as const;
      const { species } = await unwrap(hub.GET('/api/ui/migration-calendar', { params: { query }, signal }));
      return species.filter(({ total }) => total > 0);
    },
  });

const daysQuery = (month: string) =>
  queryOptions({
    queryKey: ['timeline', 'activity', month],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/activity', { params: { query: { month } }, signal })),
  });

/** A species with its number of visits. */
interface PeriodSpecies {
  readonly id: number;
  readonly name: string;
  readonly image_url: string | null;
  readonly total: number;
}

/** Figures of a period. */
interface PeriodFigures {
  readonly visits: number;
  /** By visits, descending. */
  readonly species: readonly PeriodSpecies[];
  readonly daysWithVisits: number;
  /** Day with the most visits. */
  readonly best: { readonly date: string; readonly visits: number } | undefined;
}

/** Figures of a period; undefined until all are loaded. */
function usePeriodFigures(
  period: Period,
  isRequested: boolean,
): { figures?: PeriodFigures; error: Error | null } {
  const { data: species, error } = useQuery({ ...speciesQuery(period), enabled: isRequested });
  const months = useQueries({
    queries: (isRequested ? monthsOf(period) : []).map(daysQuery),
    combine: (responses) => ({
      error: responses.find((response) => response.error)?.error ?? null,
      days: responses.some(({ data }) => data === undefined)
        ? undefined
        : responses.flatMap(({ data }) => data ?? []),
    }),
  });
  if (!isRequested || species === undefined || months.days === undefined)
    return { error: error ?? months.error };
  const days = months.days.filter(
    ({ date, visits }) => visits > 0 && date >= period.from && date <= period.to,
  );
  return {
    error: null,
    figures: {
      visits: species.reduce((sum, { total }) => sum + total, 0),
      species,
      daysWithVisits: days.length,
      best: days.toSorted((one, other) => other.visits - one.visits)[0],
    },
  };
}
