import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { components } from '../../api/schema';

export type Species = components['schemas']['Species'];
export type ObservedSpecies = components['schemas']['ObservedSpecies'];
export type SpeciesSummary = components['schemas']['SpeciesSummary'];
export type Family = components['schemas']['BirdFamily'];

/** Observed species. */
export const observedQuery = queryOptions({
  queryKey: ['species', 'observed'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/species/observed', { signal })),
});

export const familiesQuery = queryOptions({
  queryKey: ['species', 'families'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/bird_families', { signal })),
  staleTime: 3_600_000,
});

/** Summary of a species and its subspecies; `lang` is the preferred language of the description. */
export const summaryQuery = (id: number, lang: string) =>
  queryOptions({
    queryKey: ['species', id, 'summary', lang],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/species/{id}/summary', { params: { path: { id }, query: { lang } }, signal })),
  });

/** Sounds of a species at xeno-canto, which rarely change. */
export const soundsQuery = (id: number) =>
  queryOptions({
    queryKey: ['species-sounds', id],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/species/{id}/xeno-canto', { params: { path: { id } }, signal })),
    staleTime: 3_600_000,
  });

/** Visits of a species by month over all years, January first. */
export const monthsQuery = (id: number) =>
  queryOptions({
    queryKey: ['calendar', 'full'],
    queryFn: ({ signal }) =>
      unwrap(hub.GET('/api/ui/migration-calendar', { params: { query: { catalog: 'full' } }, signal })),
    select: ({ species }) => species.find((one) => one.id === id)?.monthly_counts,
  });

const pageSize = 48;

/** Pages of visits of a species, newest first. */
export const visitsQuery = (id: number) =>
  infiniteQueryOptions({
    // Not below `species`, which each visit of any species invalidates.
    queryKey: ['species-visits', id],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, ...(cursor !== null && { cursor }) };
      const call = await hub.GET('/api/ui/species/{id}/visits', { params: { path: { id }, query }, signal });
      const visits = await unwrap(Promise.resolve(call));
      return { visits, next: nextCursor(call.response.headers.get('link')) ?? null };
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
