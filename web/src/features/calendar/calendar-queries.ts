import { queryOptions, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import { useToday } from '../../lib/clock';
import { type Day, daysBetween } from '../../lib/days';
import { keepUntilLoaded } from '../../lib/previous-data';
import { useSightings } from '../../lib/species-list';
import { type CalendarSearch, type CalendarView, calendarSearch, viewOf } from './calendar-search';

export type CalendarSpecies = components['schemas']['MigrationCalendar']['species'][number];

/** Species by month for the search parameters. */
export const calendarQuery = ({ catalog, evidence, metric, from, to }: CalendarSearch) =>
  queryOptions({
    queryKey: ['calendar', { catalog, evidence, metric, from, to }],
    queryFn: ({ signal }) => {
      const years = { ...(from && { start_year: from }), ...(to && { end_year: to }) };
      const kinds = { ...(catalog && { catalog }), ...(evidence && { evidence }), ...(metric && { metric }) };
      const query = { ...kinds, ...years };
      return unwrap(hub.GET('/api/ui/migration-calendar', { params: { query }, signal }));
    },
    ...keepUntilLoaded,
  });

/** Visits of each species on each day of a period. */
export const speciesDaysQuery = (start_date: Day, end_date: Day) =>
  queryOptions({
    queryKey: ['calendar', 'days', start_date, end_date],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/phenology/days', { params: { query: { start_date, end_date } }, signal })),
    ...keepUntilLoaded,
  });

/** Returns the current view. */
export function useCalendarView(): CalendarView {
  const [search] = useCalendarSearch();
  const today = useToday();
  const first = useSightings()?.first;
  return viewOf(search, first === undefined || daysBetween(first, today) < 365);
}

/** Years with sightings, newest first. */
export function useYears(): number[] {
  const yearOf = (day: string) => Number(day.slice(0, 4));
  const today = useToday();
  const newest = yearOf(today);
  const oldest = yearOf(useSightings()?.first ?? today);
  return Array.from({ length: newest - oldest + 1 }, (_, ago) => newest - ago);
}

/** Returns the first and the last of the years that the counts by month add up. */
export function useCalendarYears(): { readonly from: number; readonly to: number } {
  const [{ from, to }] = useCalendarSearch();
  const years = useYears();
  const [newest = 0, oldest = newest] = [years.at(0), years.at(-1)];
  return { from: Math.max(from ?? oldest, oldest), to: Math.min(to ?? newest, newest) };
}

const midsummer = '-06-21';

/** Whether the hub is in the southern hemisphere, from the day length in June, as only admins may read its location. */
export function useIsSouthern(): boolean {
  const date = `${useToday().slice(0, 4)}${midsummer}`;
  const { data } = useQuery({
    queryKey: ['sun-times', date],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sun-times', { params: { query: { date } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data?.sunrise || !data.sunset) return false;
  return Date.parse(data.sunset) - Date.parse(data.sunrise) < 43_200_000;
}

const route = getRouteApi('/calendar');

type Change = { readonly [Name in keyof CalendarSearch]?: CalendarSearch[Name] | undefined };

/** Returns the search parameters and a function to change them; undefined resets one. */
export function useCalendarSearch(): readonly [CalendarSearch, (change: Change) => void] {
  const navigate = useNavigate({ from: '/calendar' });
  const change = (next: Change) =>
    void navigate({
      search: (now) => calendarSearch({ ...now, ...next }),
      replace: true,
      resetScroll: false,
    });
  return [route.useSearch(), change];
}
