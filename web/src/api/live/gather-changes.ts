import { invalidatedBy, type LiveName, type Resource } from './live-events';

/** Query keys to invalidate. */
export type Changes = ReadonlySet<Resource> | 'everything';

/** Collects the changes of a burst of events into one call. */
export interface ChangeGatherer {
  note(name: LiveName): void;
  /** Drops collected changes. */
  stop(): void;
}

/** A burst ends after this time without events. */
const quietMs = 400;
/** An endless burst is handed over this often. */
const maxWaitMs = 3_000;

/** Calls `handOver` when a burst of events ends or has taken `maxWaitMs`. */
export function gatherChanges(handOver: (changes: Changes) => void): ChangeGatherer {
  let changed = new Set<Resource>();
  let isEverything = false;
  let beganAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    changed = new Set();
    isEverything = false;
    beganAt = undefined;
  }

  function settle(): void {
    const changes = isEverything ? 'everything' : changed;
    stop();
    handOver(changes);
  }

  return {
    note(name) {
      const invalidated: readonly Resource[] | 'everything' = invalidatedBy[name];
      if (invalidated.length === 0) return;
      if (invalidated === 'everything') isEverything = true;
      else for (const resource of invalidated) changed.add(resource);
      const now = Date.now();
      beganAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(settle, Math.min(quietMs, Math.max(0, beganAt + maxWaitMs - now)));
    },
    stop,
  };
}
