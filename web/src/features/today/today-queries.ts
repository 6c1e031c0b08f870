import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { preloadTexts } from '../../i18n/start-i18n';
import { addDays, type Day, dayOf } from '../../lib/days';
import { lastKnownFacts, statusQuery } from '../../lib/hub-facts';

const hourMs = 3_600_000;

/** All visits of a day, newest first. */
export const dayVisitsQuery = (date: Day) =>
  queryOptions({
    queryKey: ['timeline', 'day', date],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/timeline', { params: { query: { date } }, signal })),
  });

export const sunTimesQuery = (date: Day) =>
  queryOptions({
    queryKey: ['sun-times', date],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sun-times', { params: { query: { date } }, signal })),
    staleTime: hourMs,
  });

export const weatherQuery = queryOptions({
  queryKey: ['weather'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/weather', { signal })),
  refetchInterval: hourMs / 6,
});

export const feedQuery = queryOptions({
  queryKey: ['feed'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/feed/info', { signal })),
});

export const foodQuery = queryOptions({
  queryKey: ['birdfood'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/birdfood', { signal })),
});

/** Ids of the species seen on an earlier day of the year. */
export const earlierThisYearQuery = (date: Day) =>
  queryOptions({
    queryKey: ['earlier-this-year', date],
    queryFn: async ({ signal }) => {
      const start_date = `${date.slice(0, 4)}-01-01`;
      if (date === start_date) return [];
      const query = { catalog: 'full', start_date, end_date: addDays(date, -1) } as const;
      const { species } = await unwrap(hub.GET('/api/ui/migration-calendar', { params: { query }, signal }));
      return species.filter(({ total }) => total > 0).map(({ id }) => id);
    },
    staleTime: hourMs,
  });

/** Figures of a day, by default of today. */
export const overviewQuery = (date?: string) =>
  queryOptions({
    queryKey: ['overview', date ?? 'today'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/overview', { params: { query: date === undefined ? {} : { date } }, signal })),
  });

/** Starts the first requests while the script of the page is loading. */
export function preloadToday(): void {
  preloadTexts('today');
  const day = dayOf(new Date(), lastKnownFacts().zone);
  void queryClient.prefetchQuery(dayVisitsQuery(day));
  void queryClient.prefetchQuery(overviewQuery());
  void queryClient.prefetchQuery(statusQuery);
  void queryClient.prefetchQuery(sunTimesQuery(day));
}
