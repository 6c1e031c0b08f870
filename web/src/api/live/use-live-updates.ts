import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { hub, unwrap } from '../client';
import { hubUrl } from '../hub-url';
import { unlessLocked } from '../query-client';
import { type Changes, collectChanges } from './collect-changes';
import { connectWhileVisible, createLiveConnection } from './live-connection';
import { emitLiveEvent } from './live-events';

const openStream = (lastEventId: string | undefined) =>
  new EventSource(
    hubUrl(`/api/ui/events${lastEventId === undefined ? '' : `?last_event_id=${lastEventId}`}`),
  );

const probeTimeoutMs = 10_000;

/** Invalidates queries when live events of the hub change their data. Returns whether the hub can be reached. */
export function useLiveUpdates(): boolean {
  const queryClient = useQueryClient();
  const [isReachable, setIsReachable] = useState(true);
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
      onOpen: () => {
        setIsReachable(true);
        void queryClient.refetchQueries({
          type: 'active',
          predicate: (query) => query.state.status === 'error' && unlessLocked(query),
        });
      },
      // A proxy may refuse streams only.
      onLost: () =>
        void unwrap(hub.GET('/api/ui/status', { signal: AbortSignal.timeout(probeTimeoutMs) })).then(
          () => setIsReachable(true),
          () => setIsReachable(false),
        ),
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
  return isReachable;
}
