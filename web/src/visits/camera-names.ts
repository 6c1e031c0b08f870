import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { answerOf, hub } from '../api/client';

/** The cameras that recordings come from. */
export const camerasQuery = queryOptions({
  queryKey: ['cameras'],
  queryFn: async ({ signal }) => (await answerOf(hub.GET('/api/ui/cameras', { signal }))).cameras,
  staleTime: 300_000,
});

/** Names a camera as the settings do, by its id where they do not know it. */
export function useCameraName(): (id: string) => string {
  const { data } = useQuery(camerasQuery);
  return useCallback((id) => data?.find((camera) => camera.id === id)?.name ?? id, [data]);
}
