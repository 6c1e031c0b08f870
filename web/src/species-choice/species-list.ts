import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, hub } from '../api/client';
import { useSpeciesName } from '../species-names/use-species-name';
import { type FindableSpecies, toFindable } from './rank-species';

/** Every species that the hub knows. */
export const speciesListQuery = queryOptions({
  queryKey: ['species'],
  queryFn: ({ signal }) => answerOf(hub.GET('/api/ui/species', { signal })),
  staleTime: 300_000,
});

/** Every species with its name in the page's language; undefined until the hub has answered. */
export function useFindableSpecies(): readonly FindableSpecies[] | undefined {
  const { data } = useQuery(speciesListQuery);
  const nameOf = useSpeciesName();
  return useMemo(() => data && toFindable(data, nameOf), [data, nameOf]);
}
