import { useEffect, useState, useSyncExternalStore } from 'react';
import { useHubFacts } from '../hub-facts/hub-facts';
import { dayOf } from './days';

const halfMinuteMs = 30_000;

/** Looks at the clock every so often, and when the page is looked at again. */
function watchClock(look: () => void, everyMs: number): () => void {
  const timer = setInterval(look, everyMs);
  document.addEventListener('visibilitychange', look);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', look);
  };
}

const watchHalfMinutes = (look: () => void) => watchClock(look, halfMinuteMs);

/** The time, as it goes on. */
export function useNow(everyMs = halfMinuteMs): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => watchClock(() => setNow(new Date()), everyMs), [everyMs]);
  return now;
}

/** The hub's day, which changes at its midnight. */
export function useToday(): string {
  const { zone } = useHubFacts();
  return useSyncExternalStore(watchHalfMinutes, () => dayOf(new Date(), zone));
}
