import type { SettingsReader } from '@birdhub/domain/settings';
import { freeFloor, noteStorageState } from '@birdhub/domain/storage';
import { createLoop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import { applyRetention, type RetentionDependencies } from './apply-retention.js';

/** Clears files in the background, every hour and whenever the disk runs short of space. */
export interface RetentionWatch {
  start(): void;
  /** Whether space is lacking and nothing is left that may be cleared, as last looked at. */
  isExhausted(): boolean;
  stop(): Promise<void>;
}

/** How often the watch does what, in ms. */
export interface WatchIntervals {
  readonly runMs: number;
  readonly lookMs: number;
  /** Between two runs that are to free space, as the first may have found nothing. */
  readonly retryMs: number;
}

const usual: WatchIntervals = { runMs: 3_600_000, lookMs: 5_000, retryMs: 60_000 };

/** What the watch works with. */
export interface RetentionWatchDependencies extends RetentionDependencies {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
}

/** Any number of processes may watch; one of them clears at a time. */
export function createRetentionWatch(
  dependencies: RetentionWatchDependencies,
  { runMs, lookMs, retryMs }: WatchIntervals = usual,
): RetentionWatch {
  const { pool, settings, clock, readFreeBytes, log } = dependencies;
  const begunAt = clock.now();
  let ranAt = begunAt;
  let triedAt = Number.NEGATIVE_INFINITY;
  let isExhausted = false;
  let stopWatching = () => {};

  async function isShort(): Promise<boolean> {
    const free = await readFreeBytes();
    return free !== undefined && free < freeFloor((await settings.current()).retention);
  }

  async function run(): Promise<void> {
    try {
      await applyRetention(dependencies, {
        isDryRun: false,
        isConfirmed: false,
        requestId: 'retention',
        startedBy: 'schedule',
      });
    } catch (error) {
      if (!(error instanceof HubError) || error.code !== 'confirm_required') throw error;
      log.warn(
        { details: error.details },
        'retention would clear more than half and waits for a confirmation',
      );
    }
  }

  async function look(): Promise<void> {
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
    if (isExhausted) log.error('the disk is full, and nothing is left that may be cleared');
    else log.info('there is space on the disk again');
  }

  const loop = createLoop({
    work: look,
    everyMs: lookMs,
    onError: (error) => log.warn({ err: error }, 'space on the disk not looked at'),
  });

  return {
    isExhausted: () => isExhausted,
    start() {
      loop.start();
      stopWatching = settings.watch(() => {
        triedAt = Number.NEGATIVE_INFINITY;
        loop.wake();
      });
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}
