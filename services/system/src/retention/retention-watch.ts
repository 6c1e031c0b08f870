import type { SettingsReader } from '@birdhub/domain/settings';
import { minFreeBytes, noteStorageState } from '@birdhub/domain/storage';
import { createLoop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { applyRetention, type RetentionDeps } from './retention.js';

/** Applies retention in the background, hourly and whenever the disk runs short of space. */
export interface RetentionWatch {
  start(): void;
  /** Whether the disk was full with nothing left to purge at the last check. */
  isExhausted(): boolean;
  stop(): Promise<void>;
}

/** Intervals in ms. */
export interface WatchIntervals {
  readonly runMs: number;
  readonly pollMs: number;
  /** Between two runs to free space. */
  readonly retryMs: number;
}

const defaults: WatchIntervals = { runMs: 3_600_000, pollMs: 5_000, retryMs: 60_000 };

/** Dependencies of the watch. */
export interface RetentionWatchDeps extends RetentionDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
}

/** Creates the watch. Several processes may run it; only one applies retention at a time. */
export function createRetentionWatch(
  deps: RetentionWatchDeps,
  { runMs, pollMs, retryMs }: WatchIntervals = defaults,
): RetentionWatch {
  const { pool, settings, clock, readFreeBytes, log } = deps;
  let ranAt = clock.now();
  let triedAt = Number.NEGATIVE_INFINITY;
  let isExhausted = false;
  let stopWatching = () => {};

  async function isShort(): Promise<boolean> {
    const free = await readFreeBytes();
    return free !== undefined && free < minFreeBytes((await settings.current()).retention);
  }

  async function run(): Promise<void> {
    try {
      await applyRetention(deps, {
        isDryRun: false,
        isConfirmed: false,
        requestId: 'retention',
        startedBy: 'schedule',
      });
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'confirm_required') throw error;
      log.warn(
        { details: error.details },
        'retention would purge more than half and waits for a confirmation',
      );
    }
  }

  async function check(): Promise<void> {
    const now = clock.now();
    const lacksSpace = await isShort();
    if (!lacksSpace) triedAt = Number.NEGATIVE_INFINITY;
    const isDue = now - ranAt >= runMs || (lacksSpace && now - triedAt >= retryMs);
    if (isDue) {
      ranAt = now;
      triedAt = now;
      await run();
    }
    isExhausted = lacksSpace && (!isDue || (await isShort()));
    if (!(await noteStorageState(pool, isExhausted))) return;
    if (isExhausted) log.error('the disk is full, and nothing is left that may be purged');
    else log.info('there is space on the disk again');
  }

  const loop = createLoop({
    work: check,
    everyMs: pollMs,
    onError: (error) => log.warn({ err: error }, 'disk space not checked'),
  });

  return {
    isExhausted: () => isExhausted,
    start() {
      loop.start();
      stopWatching = settings.watch(() => {
        triedAt = Number.NEGATIVE_INFINITY;
        loop.wake();
      }, ['retention']);
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}
