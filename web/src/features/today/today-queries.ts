import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { dayHighlightsQuery } from '../../components/highlights/highlight-queries';
import { addDays, type Day, dayOf, instantOfLocalTime, localTimeOf, startOfDay } from '../../lib/days';
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

/** Figures of a day, by default of today. */
export const overviewQuery = (date?: string) =>
  queryOptions({
    queryKey: ['overview', date ?? 'today'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/overview', { params: { query: date === undefined ? {} : { date } }, signal })),
  });

/** Figures of the same weekday a week before, up to the same time of day, rounded to ten minutes. */
export const weekBeforeQuery = (day: Day, zone: string, now: Date) => {
  const time = `${localTimeOf(now, zone).slice(11, -1)}0`;
  const until = time === '00:00' ? '00:10' : time;
  return queryOptions({
    queryKey: ['overview', 'week-before', day, zone, until],
    queryFn: ({ signal }) => {
      const before = addDays(day, -7);
      const query = {
        start_time: startOfDay(before, zone).toISOString(),
        end_time: instantOfLocalTime(`${before}T${until}`, zone).toISOString(),
      };
      return unwrap(hub.GET('/api/ui/overview', { params: { query }, signal }));
    },
    staleTime: hourMs,
    placeholderData: keepPreviousData,
  });
};

/** Starts the first requests while the script of the page is loading; resolves when all of them have completed. */
export async function preloadToday(): Promise<void> {
  const { zone } = lastKnownFacts();
  const day = dayOf(new Date(), zone);
  await Promise.all([
    queryClient.prefetchQuery(dayVisitsQuery(day)),
    queryClient.prefetchQuery(dayHighlightsQuery(day, zone)),
    queryClient.prefetchQuery(overviewQuery()),
    queryClient.prefetchQuery(statusQuery),
    queryClient.prefetchQuery(sunTimesQuery(day)),
  ]);
}
