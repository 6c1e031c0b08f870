import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { hub, unwrap } from '../api/client';

/** Cameras of the settings. */
export const camerasQuery = queryOptions({
  queryKey: ['cameras'],
  queryFn: async ({ signal }) => (await unwrap(hub.GET('/api/ui/cameras', { signal }))).cameras,
  staleTime: 300_000,
});

/** Returns a function from a camera's id to its name, or to the id itself when it is unknown. */
export function useCameraName(): (id: string) => string {
  const { data } = useQuery(camerasQuery);
  return useCallback((id) => data?.find((camera) => camera.id === id)?.name ?? id, [data]);
}
