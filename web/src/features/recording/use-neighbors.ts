import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hubUrl } from '../../api/hub-url';
import { neighborsQuery, recordingQuery } from './recording-queries';

/** The recordings beside one; what is needed to show them is fetched before they are asked for. */
export function useNeighbors(id: number) {
  const queryClient = useQueryClient();
  const { data } = useQuery(neighborsQuery(id));
  const { previous_id: previous, next_id: next } = data ?? {};
  useEffect(() => {
    for (const neighbor of [next, previous]) {
      if (!neighbor) continue;
      void queryClient.prefetchQuery(recordingQuery(neighbor));
      void queryClient.prefetchQuery(neighborsQuery(neighbor));
      new Image().src = hubUrl(`/api/ui/videos/${neighbor}/poster`);
    }
  }, [queryClient, next, previous]);
  return { previous, next };
}
