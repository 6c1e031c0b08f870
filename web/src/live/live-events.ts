import { useEffect, useEffectEvent } from 'react';
import type { LiveEvent } from './live-connection';
import type { LiveName } from './live-names';

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();

/** Tells all who listen on the page. */
export function tellListeners(event: LiveEvent): void {
  for (const listener of listeners) listener(event);
}

/** Calls `listener` for each event of these names while the component is there. */
export function useLiveEvents(names: readonly LiveName[], listener: Listener): void {
  const hear = useEffectEvent((event: LiveEvent) => {
    if (names.includes(event.name)) listener(event);
  });
  useEffect(() => {
    const own: Listener = (event) => hear(event);
    listeners.add(own);
    return () => void listeners.delete(own);
  }, []);
}
