import { queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';

/** The figures of a day, of today unless said otherwise. */
export const overviewQuery = (date?: string) =>
  queryOptions({
    queryKey: ['overview', date ?? 'today'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/overview', { params: { query: date === undefined ? {} : { date } }, signal })),
  });
