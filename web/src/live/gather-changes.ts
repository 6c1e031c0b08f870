import { changedBy, type LiveName, type Resource } from './live-names';

/** What is to be asked anew. */
export type Changes = ReadonlySet<Resource> | 'everything';

/** Gathers what events change, so that a burst of them asks once. */
export interface ChangeGatherer {
  note(name: LiveName): void;
  /** Forgets what is gathered. */
  stop(): void;
}

/** Events that come closer together are one burst. */
const quietMs = 400;
/** In a burst without end, what is seen is never older. */
const longestMs = 3_000;

/** Hands over what changed as soon as a burst is over, or has taken long. */
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
      const news: readonly Resource[] | 'everything' = changedBy[name];
      if (news.length === 0) return;
      if (news === 'everything') isEverything = true;
      else for (const resource of news) changed.add(resource);
      const now = Date.now();
      beganAt ??= now;
      clearTimeout(timer);
      timer = setTimeout(settle, Math.min(quietMs, Math.max(0, beganAt + longestMs - now)));
    },
    stop,
  };
}
