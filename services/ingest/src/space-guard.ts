import type { SettingsReader } from '@birdhub/domain/settings';
import { isStorageExhausted, minFreeBytes, type ReadFreeBytes } from '@birdhub/domain/storage';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Dependencies of the guard. */
export interface SpaceGuardDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly readFreeBytes: ReadFreeBytes;
  readonly log: Logger;
  readonly checkIntervalMs?: number;
}

/** The cleanup runs every minute. */
const retryAfterSeconds = 60;

/** Returns the error for a file without space on the disk. */
export const insufficientStorage = (cause?: unknown) =>
  new HubError('insufficient_storage', { retryAfterSeconds, cause });

/** Checks whether recordings can be stored. The disk is full when space is low and nothing is left to delete. */
export class SpaceGuard {
  readonly #deps: SpaceGuardDeps;
  readonly #loop: Loop;
  #isLow = false;
  #isFull = false;

  constructor(deps: SpaceGuardDeps) {
    this.#deps = deps;
    this.#loop = createLoop({
      work: () => this.#check(),
      everyMs: deps.checkIntervalMs ?? 2_000,
      onError: (error) => deps.log.warn({ err: error }, 'check of free disk space failed'),
    });
  }

  /** Whether the last check found less free space than the minimum. */
  get isLow(): boolean {
    return this.#isLow;
  }

  /** Whether the disk was full at the last check. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** @throws HubError storage_full when the disk was full at the last check */
  requireSpace(): void {
    if (this.isFull) throw new HubError('storage_full', { retryAfterSeconds });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async #check(): Promise<void> {
    const { pool, settings, readFreeBytes } = this.#deps;
    const { retention } = await settings.current();
    const free = await readFreeBytes();
    this.#isLow = free !== undefined && free < minFreeBytes(retention);
    this.#isFull = this.#isLow && (await isStorageExhausted(pool));
  }
}
