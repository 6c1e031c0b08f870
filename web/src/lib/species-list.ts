import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { hub, unwrap } from '../api/client';
import { queryClient } from '../api/query-client';
import { useSpeciesName } from '../i18n/species-names';
import { type Day, dayOf } from './days';
import { useHubFacts } from './hub-facts';
import { type FindableSpecies, toFindable } from './rank-species';

/** All species of the hub. */
export const speciesListQuery = queryOptions({
  queryKey: ['species'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/species', { signal })),
  staleTime: 300_000,
});

/** Every species with its name in the page's language, except noise; undefined while loading. */
export function useFindableSpecies(): readonly FindableSpecies[] | undefined {
  const { data } = useQuery(speciesListQuery);
  const nameOf = useSpeciesName();
  return useMemo(
    () =>
      data &&
      toFindable(
        data.filter(({ group }) => group !== 'noise'),
        nameOf,
      ),
    [data, nameOf],
  );
}

/** Nearly all birds are below one root; names without a catalogue entry are separate roots. */
const maxRoots = 6;

async function timeRangeOf(id: number, signal: AbortSignal) {
  const path = { id };
  const { stats } = await unwrap(hub.GET('/api/ui/species/{id}/summary', { params: { path }, signal }));
  return stats.timeRange;
}

/** Instants of the first and the last sighting; null without sightings. */
const sightingsQuery = queryOptions({
  // Not below `species`, which each visit invalidates: only the ends of a long range are of interest.
  queryKey: ['sightings-range'],
  queryFn: async ({ signal }) => {
    const species = await queryClient.ensureQueryData(speciesListQuery);
    const roots = species
      .filter(({ name, parent_id, count }) => parent_id === null && (name === 'Birds' || count > 0))
      .sort(
        (one, other) =>
          Number(other.name === 'Birds') - Number(one.name === 'Birds') || other.count - one.count,
      )
      .slice(0, maxRoots);
    const ranges = await Promise.all(roots.map(({ id }) => timeRangeOf(id, signal)));
    const ofAll = (end: 'first_sighting' | 'last_sighting') =>
      ranges.flatMap((range) => range[end] ?? []).sort();
    const [first, last] = [ofAll('first_sighting').at(0), ofAll('last_sighting').at(-1)];
    return first === undefined || last === undefined ? null : { first, last };
  },
  staleTime: ({ state }) => (state.data ? 3_600_000 : 30_000),
});

/** Days of the first and the last sighting. */
interface Sightings {
  readonly first: Day;
  readonly last: Day;
}

/** Returns null without sightings or after an error, undefined while loading. */
export function useSightings(): Sightings | null | undefined {
  const { zone } = useHubFacts();
  const { data, error } = useQuery(sightingsQuery);
  // Only narrows choices, so an error is not shown.
  if (!data) return error === null ? data : null;
  return { first: dayOf(new Date(data.first), zone), last: dayOf(new Date(data.last), zone) };
}
