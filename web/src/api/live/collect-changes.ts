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
/** A longer burst is reported in this interval. Reports are no closer, as a day may have thousands of visits to refetch. */
const intervalMs = 3_000;

/** A recording that arrives later than this may be of a day in the past. */
const lateMs = 3_600_000;

/** Calls `onChanges` when a burst of events ends, and every `intervalMs` during a longer one. */
export function collectChanges(onChanges: (changes: Changes) => void): ChangeCollector {
  let changed = new Set<Resource>();
  let isEverything = false;
  let burstStartedAt: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
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
    reportedAt = Date.now();
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
      const dueAt = Math.max(reportedAt + intervalMs, Math.min(now + quietMs, burstStartedAt + intervalMs));
      timer = setTimeout(flush, dueAt - now);
    },
    stop,
  };
}
