import { useSyncExternalStore } from 'react';

const storageKey = 'birdhub.single-keys';
const listeners = new Set<() => void>();

const areOn = (): boolean => localStorage.getItem(storageKey) !== 'off';

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether keys without Ctrl or Alt do something in this browser, which disturbs who speaks to it (WCAG 2.1.4). */
export function useSingleKeys(): readonly [areOn: boolean, set: (areOn: boolean) => void] {
  const set = (on: boolean) => {
    localStorage.setItem(storageKey, on ? 'on' : 'off');
    for (const listener of listeners) listener();
  };
  return [useSyncExternalStore(subscribe, areOn), set];
}
