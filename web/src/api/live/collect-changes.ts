import { history, invalidatedBy, type LiveEvent, type Resource } from './live-events';

/** Query keys to invalidate. */
export type Changes = ReadonlySet<Resource> | 'everything';

/** Collects the changes of a burst of events into one call. */
export interface ChangeCollector {
  add(event: LiveEvent): void;
  /** Drops collected changes. */
  stop(): void;
}

/** A burst ends after this time without events. */
const quietMs = 400;
/** A longer burst is reported in this interval. */
const maxWaitMs = 3_000;

/** A recording that arrives later than this may be of a day in the past. */
const lateMs = 3_600_000;

/** Calls `onChanges` when a burst of events ends, and every `maxWaitMs` during a longer one. */
export function collectChanges(onChanges: (changes: Changes) => void): ChangeCollector {
  let changed = new Set<Resource>();
  let isEverything = false;
  let burstStartedAt: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function stop(): void {
    clearTimeout(timer);
    changed = new Set();
    isEverything = false;
    burstStartedAt = undefined;
  }

  function flush(): void {
    const changes = isEverything ? 'everything' : changed;
    stop();
    onChanges(changes);
  }

  return {
    add({ name, data }) {
      const invalidated: readonly Resource[] | 'everything' = invalidatedBy[name];
      if (invalidated.length === 0) return;
      const now = Date.now();
      const isLate = now - Date.parse(String(data['start_time'])) > lateMs;
      if (invalidated === 'everything') isEverything = true;
      else for (const resource of [...invalidated, ...(isLate ? history : [])]) changed.add(resource);
      burstStartedAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(flush, Math.min(quietMs, Math.max(0, burstStartedAt + maxWaitMs - now)));
    },
    stop,
  };
}
