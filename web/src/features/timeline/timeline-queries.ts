import { infiniteQueryOptions, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { hub, unwrap } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { Day } from '../../lib/days';
import type { TimelineFilters } from './timeline-search';

/** Most days fit one page; on busier ones the rest loads while the first page is shown. */
const pageSize = 1000;

const dayQuery = (date: Day, filters: TimelineFilters) =>
  infiniteQueryOptions({
    queryKey: ['timeline', 'day', date, filters],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { date, ...filters, limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const call = hub.GET('/api/ui/timeline', { params: { query }, signal });
      const items = await unwrap(call);
      return { items, next: nextCursor((await call).response.headers.get('link')) };
    },
    getNextPageParam: ({ next }) => next,
  });

/** Visits of a day that match the filters, newest first; loads all pages one after another. */
export function useDay(date: Day, filters: TimelineFilters) {
  const query = useInfiniteQuery(dayQuery(date, filters));
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = query;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  const items = useMemo(() => data?.pages.flatMap((page) => page.items), [data]);
  return { ...query, items, isComplete: data !== undefined && !hasNextPage };
}

/** Ids of the visits of a day that have a favourite recording. */
export const favoritesQuery = (date: Day) =>
  queryOptions({
    queryKey: ['timeline', 'favorites', date],
    queryFn: async ({ signal }) => {
      const params = { query: { date, favorite: true } };
      const items = await unwrap(hub.GET('/api/ui/timeline', { params, signal }));
      return items.map(({ id }) => id);
    },
    select: (ids) => new Set(ids),
  });
