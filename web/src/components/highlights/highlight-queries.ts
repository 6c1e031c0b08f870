import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { addDays, type Day, startOfDay } from '../../lib/days';

/** The best moments of a day of the hub, best first. */
export const dayHighlightsQuery = (day: Day, zone: string) =>
  queryOptions({
    queryKey: ['highlights', 'day', day, zone],
    queryFn: ({ signal }) => {
      const start_time = startOfDay(day, zone).toISOString();
      const end_time = startOfDay(addDays(day, 1), zone).toISOString();
      const query = { start_time, end_time, limit: 16 };
      return unwrap(hub.GET('/api/ui/highlights', { params: { query }, signal }));
    },
  });

/** The best moments of a species and all below it. */
export const speciesHighlightsQuery = (species_id: number) =>
  queryOptions({
    queryKey: ['highlights', 'species', species_id],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/highlights', { params: { query: { species_id, limit: 16 } }, signal })),
  });

/** The best moments of the same day of past years. */
export const pastDaysQuery = (date: Day) =>
  queryOptions({
    queryKey: ['highlights', 'past', date],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/highlights/on-this-day', { params: { query: { date, limit: 6 } }, signal })),
  });
