import { useSyncExternalStore } from 'react';
import { readStored, store } from './storage';

const storageKey = 'birdhub.other-animals';
const listeners = new Set<() => void>();

const areHidden = () => readStored(storageKey) === JSON.stringify('hidden');

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function choose(hidden: boolean): void {
  store(storageKey, JSON.stringify(hidden ? 'hidden' : 'shown'));
  for (const listener of listeners) listener();
}

/** Returns whether this browser hides animals other than birds, and a function to change that. */
export function useHiddenAnimals(): readonly [boolean, (areHidden: boolean) => void] {
  return [useSyncExternalStore(subscribe, areHidden), choose];
}
