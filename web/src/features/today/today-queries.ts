import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { addDays, type Day } from '../../lib/days';

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

/** Ids of the species that came on an earlier day of the year; all of none on its first day. */
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
