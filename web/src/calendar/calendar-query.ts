import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import type { components } from '../api/schema';
import { useTimeFormat } from '../hub-time/time-format';
import type { CalendarSearch } from './calendar-search';

export type CalendarSpecies = components['schemas']['MigrationCalendar']['species'][number];

/** Months by species, as the address asks for them. */
export const calendarQuery = ({ catalog, evidence, metric, from, to }: CalendarSearch) =>
  queryOptions({
    queryKey: ['calendar', { catalog, evidence, metric, from, to }],
    queryFn: ({ signal }) => {
      const years = { ...(from && { start_year: from }), ...(to && { end_year: to }) };
      const kinds = { ...(catalog && { catalog }), ...(evidence && { evidence }), ...(metric && { metric }) };
      const query = { ...kinds, ...years };
      return answerOf(hub.GET('/api/ui/migration-calendar', { params: { query }, signal }));
    },
    placeholderData: (previous) => previous,
  });

const firstYearQuery = queryOptions({
  queryKey: ['species', 'first-sighting'],
  queryFn: async ({ signal }) => {
    const species = await answerOf(hub.GET('/api/ui/species', { signal }));
    // All birds hang below one, so its summary knows of the first of them.
    const root = species.find(({ name, parent_id }) => name === 'Birds' && parent_id === null);
    if (root === undefined) return null;
    const { stats } = await answerOf(
      hub.GET('/api/ui/species/{id}/summary', { params: { path: { id: root.id } }, signal }),
    );
    return stats.timeRange.first_sighting;
  },
  staleTime: 3_600_000,
});

/** The years that the hub has visits of, the newest first. */
export function useYears(): number[] {
  const { dayOf, today } = useTimeFormat();
  const { data: first } = useQuery(firstYearQuery);
  const yearOf = (day: string) => Number(day.slice(0, 4));
  const newest = yearOf(today());
  const oldest = first ? yearOf(dayOf(first)) : newest;
  return Array.from({ length: newest - oldest + 1 }, (_, ago) => newest - ago);
}

const midsummer = '-06-21';

/** Whether the hub stands where June is winter; by the length of its day, as only admins may see where it stands. */
export function useIsSouthern(): boolean {
  const { today } = useTimeFormat();
  const date = `${today().slice(0, 4)}${midsummer}`;
  const { data } = useQuery({
    queryKey: ['sun-times', date],
    queryFn: ({ signal }) => answerOf(hub.GET('/api/ui/sun-times', { params: { query: { date } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data?.sunrise || !data.sunset) return false;
  return Date.parse(data.sunset) - Date.parse(data.sunrise) < 43_200_000;
}
