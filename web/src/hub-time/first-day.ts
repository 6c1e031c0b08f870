import { queryOptions, useQuery } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import { queryClient } from '../api/query-client';
import { speciesListQuery } from '../species-choice/species-list';
import { type Day, dayOf } from './days';
import { useHubZone } from './zone';

const firstSightingQuery = queryOptions({
  queryKey: ['species', 'first-sighting'],
  queryFn: async ({ signal }) => {
    const species = await queryClient.ensureQueryData(speciesListQuery);
    // All birds hang below one, so its summary knows of the first of them.
    const root = species.find(({ name, parent_id }) => name === 'Birds' && parent_id === null);
    if (root === undefined) return null;
    const path = { id: root.id };
    const { stats } = await answerOf(hub.GET('/api/ui/species/{id}/summary', { params: { path }, signal }));
    return stats.timeRange.first_sighting;
  },
  staleTime: 3_600_000,
});

/** The day of the first visit that the hub knows of; undefined until it has answered and while there is none. */
export function useFirstDay(): Day | undefined {
  const zone = useHubZone();
  const { data } = useQuery(firstSightingQuery);
  return data ? dayOf(new Date(data), zone) : undefined;
}
