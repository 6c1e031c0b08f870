import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hubUrl } from '../api/base';
import { type Changes, gatherChanges } from './gather-changes';
import { createLiveConnection } from './live-connection';
import { tellListeners } from './live-events';
import { watchPresence } from './watch-presence';

const openStream = (lastEventId: string | undefined) =>
  new EventSource(
    hubUrl(`/api/ui/events${lastEventId === undefined ? '' : `?last_event_id=${lastEventId}`}`),
  );

/** Keeps what is on the screen true: listens to the hub and asks anew for what its news are about. */
export function useLiveNews(): void {
  const queryClient = useQueryClient();
  useEffect(() => {
    const askAnew = (changes: Changes) => {
      if (changes === 'everything') return queryClient.invalidateQueries();
      return Promise.all([...changes].map((one) => queryClient.invalidateQueries({ queryKey: [one] })));
    };
    const gatherer = gatherChanges((changes) => void askAnew(changes));
    const connection = createLiveConnection({
      open: openStream,
      random: Math.random,
      onEvent: (event) => {
        gatherer.note(event.name);
        tellListeners(event);
      },
    });
    const leave = watchPresence(document, connection);
    return () => {
      leave();
      gatherer.stop();
    };
  }, [queryClient]);
}
