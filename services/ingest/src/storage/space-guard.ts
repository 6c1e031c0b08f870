import { createLoop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type { SettingsReader } from '@birdhub/shared/settings';
import { freeFloor, isStorageExhausted, type ReadFreeBytes } from '@birdhub/shared/storage';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Knows whether there is room for recordings, without anybody waiting for a disk. */
export interface SpaceGuard {
  /** @throws HubError storage_full */
  requireSpace(): void;
  start(): void;
  stop(): Promise<void>;
}

/** What the guard works with. */
export interface SpaceGuardDependencies {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly readFreeBytes: ReadFreeBytes;
  readonly log: Logger;
  readonly lookMs?: number;
}

/** Space is looked for every minute. */
const retryAfterSeconds = 60;

/** Looks every few seconds; the disk is full when space is lacking and the hub has nothing left to clear. */
export function createSpaceGuard(dependencies: SpaceGuardDependencies): SpaceGuard {
  const { pool, settings, readFreeBytes, log, lookMs = 2_000 } = dependencies;
  let isFull = false;

  async function look(): Promise<void> {
    const { retention } = await settings.current();
    const free = await readFreeBytes();
    const lacksSpace = free !== undefined && free < freeFloor(retention);
    isFull = lacksSpace && (await isStorageExhausted(pool));
  }

  const loop = createLoop({
    work: look,
    everyMs: lookMs,
    onError: (error) => log.warn({ err: error }, 'space on the disk not looked at'),
  });

  return {
    requireSpace() {
      if (isFull) throw new HubError('storage_full', { retryAfterSeconds });
    },
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}
