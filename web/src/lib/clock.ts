import { useEffect, useState, useSyncExternalStore } from 'react';
import { dayOf } from './days';
import { useHubFacts } from './hub-facts';

const tickMs = 30_000;

/** Calls `onTick` at an interval and when the page becomes visible. */
function watchClock(onTick: () => void, everyMs: number): () => void {
  const timer = setInterval(onTick, everyMs);
  document.addEventListener('visibilitychange', onTick);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', onTick);
  };
}

const watchTicks = (onTick: () => void) => watchClock(onTick, tickMs);

/** The current time, updated at an interval. */
export function useNow(everyMs = tickMs): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => watchClock(() => setNow(new Date()), everyMs), [everyMs]);
  return now;
}

/** The current day in the hub's zone. */
export function useToday(): string {
  const { zone } = useHubFacts();
  return useSyncExternalStore(watchTicks, () => dayOf(new Date(), zone));
}
