import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { monthsOf, type Period } from './period';

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
    queryKey: ['activity', month],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/system/activity', { params: { query: { month } }, signal })),
  });

/** A species and how often it came. */
export interface PeriodSpecies {
  readonly id: number;
  readonly name: string;
  readonly image_url: string | null;
  readonly total: number;
}

/** What a report of a period has to tell. */
export interface PeriodFigures {
  readonly visits: number;
  /** Most visits first. */
  readonly species: readonly PeriodSpecies[];
  readonly daysWithVisits: number;
  /** The day with most visits and how many these were. */
  readonly best: { readonly date: string; readonly visits: number } | undefined;
}

/** The figures of a period; undefined until the hub has told all of them. */
export function usePeriodFigures(
  period: Period,
  isAsked: boolean,
): { figures?: PeriodFigures; error: Error | null } {
  const { data: species, error } = useQuery({ ...speciesQuery(period), enabled: isAsked });
  const months = useQueries({
    queries: (isAsked ? monthsOf(period) : []).map(daysQuery),
    combine: (answers) => ({
      error: answers.find((answer) => answer.error)?.error ?? null,
      days: answers.some(({ data }) => data === undefined)
        ? undefined
        : answers.flatMap(({ data }) => data ?? []),
    }),
  });
  if (!isAsked || species === undefined || months.days === undefined) return { error: error ?? months.error };
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
