import { type UseQueryResult, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Day } from '../../lib/days';
import { useTimeFormat } from '../../lib/format';
import { useHubFacts } from '../../lib/hub-facts';
import { type Chunk, itemsByDay, type LoadedDay } from './chunks';
import { favoritesQuery, type PageKind, pageQuery, type TimelinePage } from './timeline-queries';
import type { TimelineFilters } from './timeline-search';

/** Maximum number of cached pages. */
const maxKeptPages = 48;

/** Loaded items of the days in view. */
export interface LoadedDays {
  /** By day; days that are not loaded are missing. */
  readonly days: ReadonlyMap<Day, LoadedDay>;
  readonly favorites: ReadonlySet<number>;
  /** Whether all visits of a day are loaded. */
  readonly isComplete: (day: Day) => boolean;
  /** Loads the next page of the chunk of a day. */
  readonly loadMore: (day: Day) => void;
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
}

const nameOf = ({ from, to }: Chunk) => `${from} ${to}`;
const initialPages: Readonly<Record<string, number>> = {};

/** Whether recordings without a bird can match the filters. */
const mayBeEmpty = ({ species_id, source, min_confidence, group }: TimelineFilters) =>
  species_id === undefined &&
  source === undefined &&
  min_confidence === undefined &&
  group !== 'other_animal';

/** Loads pages of the chunks in view; drops the oldest pages out of view. */
export function useLoadedDays(
  wanted: readonly Chunk[],
  oldest: Day | undefined,
  filters: TimelineFilters,
): LoadedDays {
  const client = useQueryClient();
  const { zone } = useHubFacts();
  const { dayOf } = useTimeFormat();
  const [pagesOf, setPagesOf] = useState(initialPages);

  const pagesFor = (chunk: Chunk, kind: PageKind, maxPages: number) => {
    const pages = [];
    let cursor: string | undefined;
    for (let number = 0; number < maxPages; number += 1) {
      const query = pageQuery(chunk, kind, filters, zone, cursor);
      pages.push({ chunk, query, isFirst: number === 0 });
      const data = client.getQueryData<TimelinePage>(query.queryKey);
      if (data?.next === undefined) break;
      cursor = data.next;
    }
    return pages;
  };
  const requests = wanted.flatMap((chunk) => [
    ...pagesFor(chunk, 'visit', pagesOf[nameOf(chunk)] ?? 1),
    // All pages: their number is shown, and only this tells it.
    ...(mayBeEmpty(filters) ? pagesFor(chunk, 'unlinked_video', Number.POSITIVE_INFINITY) : []),
  ]);
  const results = useQueries({ queries: requests.map(({ query }) => query) });
  const { ids: favoriteIds, error: favoritesError } = useQueries({
    queries: wanted.map((chunk) => favoritesQuery(chunk, zone)),
    combine: joinIds,
  });

  const sorted = useSortedChunks(dayOf);
  const byChunk = wanted.map((chunk) => {
    const pages = requests.flatMap((one, index) => {
      const data = one.chunk === chunk ? results[index]?.data : undefined;
      return data ? [data] : [];
    });
    const isSettled = requests.every((one, index) => one.chunk !== chunk || results[index]?.data);
    const isOldest = oldest !== undefined && chunk.from <= oldest;
    return {
      chunk,
      days: sorted(chunk, pages, isOldest),
      // Further pages are added to those that are shown.
      isLoaded: requests.every(
        (one, index) => one.chunk !== chunk || !one.isFirst || results[index]?.data !== undefined,
      ),
      isSettled,
      isComplete: isSettled && pages.findLast(({ kind }) => kind === 'visit')?.next === undefined,
    };
  });
  const loaded = byChunk.filter(({ isLoaded }) => isLoaded);
  const key = loaded.map(({ days }) => days);
  const days = useStable(key, () => new Map(loaded.flatMap(({ days: ofChunk }) => [...ofChunk])));
  const favorites = useMemo(() => new Set(favoriteIds), [favoriteIds]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when other chunks come into view.
  useEffect(() => dropOldPages(client), [client, wanted]);
  const chunkOf = (day: Day) => byChunk.find(({ chunk }) => chunk.from <= day && day <= chunk.to);
  return {
    days,
    favorites,
    isComplete: (day) => chunkOf(day)?.isComplete === true,
    loadMore(day) {
      const found = chunkOf(day);
      if (found === undefined || !found.isSettled || found.isComplete) return;
      const name = nameOf(found.chunk);
      setPagesOf((before) => ({ ...before, [name]: (before[name] ?? 1) + 1 }));
    },
    isLoading: loaded.length < wanted.length,
    error: firstError(results) ?? (days.size > 0 ? favoritesError : null),
    refetch: () =>
      void client.refetchQueries({
        queryKey: ['timeline'],
        type: 'active',
        predicate: ({ state }) => state.status === 'error',
      }),
  };
}

type Result<T> = Pick<UseQueryResult<T>, 'data' | 'error'>;

/** Returns the error of the first request without data. */
const firstError = (results: readonly Result<unknown>[]) =>
  results.find(({ error, data }) => error && data === undefined)?.error ?? null;

const joinIds = (results: readonly Result<readonly number[]>[]) => ({
  ids: results.flatMap(({ data }) => data ?? []),
  error: firstError(results),
});

/** Groups the pages of a chunk by day; returns the same object for the same pages. */
function useSortedChunks(dayOf: (instant: string) => Day) {
  const known = useRef(new Map<string, { pages: readonly TimelinePage[]; days: Map<Day, LoadedDay> }>());
  return useCallback(
    (chunk: Chunk, pages: readonly TimelinePage[], isOldest: boolean) => {
      const name = `${nameOf(chunk)} ${isOldest}`;
      const before = known.current.get(name);
      if (before !== undefined && areSame(before.pages, pages)) return before.days;
      const items = pages.flatMap((page) => page.items);
      const days = itemsByDay(items, chunk, dayOf, isOldest);
      known.current.delete(name);
      known.current.set(name, { pages, days });
      for (const oldest of known.current.keys()) {
        if (known.current.size <= maxKeptPages) break;
        known.current.delete(oldest);
      }
      return days;
    },
    [dayOf],
  );
}

const areSame = (one: readonly unknown[], other: readonly unknown[]) =>
  one.length === other.length && one.every((value, index) => value === other[index]);

/** Recomputes a value when one of its inputs is a different object. */
function useStable<T>(parts: readonly unknown[], create: () => T): T {
  const [kept, setKept] = useState(() => ({ parts, value: create() }));
  if (areSame(kept.parts, parts)) return kept.value;
  const next = { parts, value: create() };
  setKept(next);
  return next.value;
}

/** Drops the oldest pages that are not in view, so that at most `maxKeptPages` remain. */
function dropOldPages(client: ReturnType<typeof useQueryClient>): void {
  const pages = client.getQueryCache().findAll({ queryKey: ['timeline', 'page'], type: 'inactive' });
  const old = pages.toSorted((one, other) => other.state.dataUpdatedAt - one.state.dataUpdatedAt);
  for (const page of old.slice(maxKeptPages)) client.getQueryCache().remove(page);
}
