import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import { queryClient } from '../api/query-client';
import { useHubFacts } from '../hub-facts/hub-facts';
import { speciesListQuery } from '../species-choice/species-list';
import { type Day, dayOf } from './days';

/** Nearly all birds hang below one root; names that no catalogue has are roots of their own. */
const maxRoots = 6;

async function timeRangeOf(id: number, signal: AbortSignal) {
  const path = { id };
  const { stats } = await answerOf(hub.GET('/api/ui/species/{id}/summary', { params: { path }, signal }));
  return stats.timeRange;
}

/** Instants of the first and of the last sighting that the hub knows of, null while there is none. */
const sightingsQuery = queryOptions({
  queryKey: ['species', 'sightings'],
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
  staleTime: 3_600_000,
});

/** The days of the first and of the last bird that was here. */
export interface Sightings {
  readonly first: Day;
  readonly last: Day;
}

/** When the hub has seen birds: null while it has seen none or cannot say, undefined until it has answered. */
export function useSightings(): Sightings | null | undefined {
  const { zone } = useHubFacts();
  const { data, error } = useQuery(sightingsQuery);
  // What only narrows a choice is done without when it cannot be had.
  if (!data) return error === null ? data : null;
  return { first: dayOf(new Date(data.first), zone), last: dayOf(new Date(data.last), zone) };
}
