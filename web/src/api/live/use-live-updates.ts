import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hubUrl } from '../hub-url';
import { unlessLocked } from '../query-client';
import { type Changes, collectChanges } from './collect-changes';
import { connectWhileVisible, createLiveConnection } from './live-connection';
import { emitLiveEvent } from './live-events';

const openStream = (lastEventId: string | undefined) =>
  new EventSource(
    hubUrl(`/api/ui/events${lastEventId === undefined ? '' : `?last_event_id=${lastEventId}`}`),
  );

/** Invalidates queries when live events of the hub change their data. */
export function useLiveUpdates(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const invalidate = (changes: Changes) => {
      const filters = changes === 'everything' ? [{}] : [...changes].map((one) => ({ queryKey: [one] }));
      return Promise.all(
        filters.map((filter) => queryClient.invalidateQueries({ ...filter, predicate: unlessLocked })),
      );
    };
    const collector = collectChanges((changes) => void invalidate(changes));
    const connection = createLiveConnection({
      open: openStream,
      random: Math.random,
      onOpen: () =>
        void queryClient.refetchQueries({
          type: 'active',
          predicate: (query) => query.state.status === 'error' && unlessLocked(query),
        }),
      onEvent: (event) => {
        collector.add(event);
        emitLiveEvent(event);
      },
    });
    const disconnect = connectWhileVisible(document, connection);
    return () => {
      disconnect();
      collector.stop();
    };
  }, [queryClient]);
}
