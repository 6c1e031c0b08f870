import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { hub, unwrap } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { TimelineItem } from '../../components/visits/describe-visit';
import { addDays, type Day, dayOf, earliestDay, startOfDay } from '../../lib/days';
import { useHubFacts } from '../../lib/hub-facts';
import type { Chunk, DayCount } from './chunks';
import { onlyDay, type TimeRange } from './time-range';
import type { TimelineFilters } from './timeline-search';

/** Items per page; usually a chunk fits into one page. */
const pageSize = 500;
/** How long pages out of view are cached. */
const pageCacheMs = 60_000;
/** Maximum number of days that one request counts. */
const maxCountedDays = 7_300;

const windowOf = ({ from, to }: Chunk, zone: string) => ({
  start_time: startOfDay(from, zone).toISOString(),
  end_time: startOfDay(addDays(to, 1), zone).toISOString(),
});

/** Splits a range into parts that can be counted, newest first. */
function countableParts({ from, to }: Chunk): Chunk[] {
  const start = addDays(to, 1 - maxCountedDays);
  return start <= from
    ? [{ from, to }]
    : [{ from: start, to }, ...countableParts({ from, to: addDays(start, -1) })];
}

/** Counts the visits of each day, newest first. `key` is the resource that live events invalidate. */
const countsQuery = (
  key: 'timeline' | 'timeline-history',
  days: Chunk,
  filters: TimelineFilters,
  zone: string,
) =>
  queryOptions({
    queryKey: [key, 'counts', days.from, days.to, filters, zone],
    queryFn: async ({ signal }): Promise<DayCount[]> => {
      const parts = countableParts(days).map(async (part) => {
        const query = { ...windowOf(part, zone), ...filters };
        const buckets = await unwrap(hub.GET('/api/ui/timeline/buckets', { params: { query }, signal }));
        return buckets.map(({ start, visits }) => ({ day: dayOf(new Date(start), zone), visits })).reverse();
      });
      return (await Promise.all(parts)).flat();
    },
    placeholderData: (previous) => previous,
  });

/** Returns the first counted day of a range. */
const firstDayOf = ({ from }: TimeRange): Day => from ?? earliestDay;

/** Counts the visits of animals other than birds on each day of a range. */
export const animalCountsQuery = (range: TimeRange, zone: string) =>
  countsQuery('timeline', { from: firstDayOf(range), to: range.to }, { group: 'other_animal' }, zone);

const historyStaleMs = 600_000;

interface DayCounts {
  /** Newest first; undefined while loading. Always includes the day of a range of one day. */
  readonly counts: readonly DayCount[] | undefined;
  readonly error: Error | null;
  readonly refetch: () => void;
}

/**
 * Number of visits per day of a range, newest first. The newest months are counted separately, so that a new visit does
 * not cause a recount of many years.
 */
export function useDayCounts(range: TimeRange, filters: TimelineFilters): DayCounts {
  const { zone } = useHubFacts();
  const day = onlyDay(range);
  const first = firstDayOf(range);
  const month = addDays(`${range.to.slice(0, 7)}-01`, -1);
  const splits = day === undefined && first < month;
  const recent = useQuery({
    ...countsQuery('timeline', { from: splits ? addDays(month, 1) : first, to: range.to }, filters, zone),
    enabled: day === undefined,
  });
  const history = useQuery({
    ...countsQuery('timeline-history', { from: first, to: month }, filters, zone),
    enabled: splits,
    staleTime: historyStaleMs,
  });
  const counts = useMemo(() => {
    if (day !== undefined) return [{ day, visits: 0 }];
    if (recent.data === undefined || (splits && history.data === undefined)) return undefined;
    return [...recent.data, ...(splits ? (history.data ?? []) : [])];
  }, [day, splits, recent.data, history.data]);
  return {
    counts,
    error: recent.error ?? history.error,
    refetch() {
      void recent.refetch();
      if (splits) void history.refetch();
    },
  };
}

/** A page of a chunk: its visits, or its recordings without a bird. */
export interface TimelinePage {
  readonly kind: PageKind;
  readonly items: readonly TimelineItem[];
  readonly next: string | undefined;
}

export type PageKind = 'visit' | 'unlinked_video';

/** A page of the items of a chunk, newest first. */
export const pageQuery = (
  chunk: Chunk,
  kind: PageKind,
  filters: TimelineFilters,
  zone: string,
  cursor?: string,
) =>
  queryOptions({
    queryKey: ['timeline', 'page', chunk.from, chunk.to, kind, filters, zone, cursor ?? null],
    queryFn: async ({ signal }): Promise<TimelinePage> => {
      const paging = { limit: pageSize, ...(cursor !== undefined && { cursor }) };
      const query = { ...windowOf(chunk, zone), ...filters, timeline_kind: kind, ...paging };
      const call = hub.GET('/api/ui/timeline', { params: { query }, signal });
      const items = await unwrap(call);
      return { kind, items, next: nextCursor((await call).response.headers.get('link')) };
    },
    gcTime: pageCacheMs,
  });

/** Ids of the visits of a chunk that have a favourite recording. */
export const favoritesQuery = (chunk: Chunk, zone: string) =>
  queryOptions({
    queryKey: ['timeline', 'favorites', chunk.from, chunk.to, zone],
    queryFn: async ({ signal }) => {
      const params = { query: { ...windowOf(chunk, zone), favorite: true } };
      const items = await unwrap(hub.GET('/api/ui/timeline', { params, signal }));
      return items.map(({ id }) => id);
    },
    gcTime: pageCacheMs,
  });
