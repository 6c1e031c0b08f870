import { forgetPostedUploads, freshUploadMs, removeWaitingUploads } from '@birdhub/domain/storage';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { type Clock, dayMs, hourMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { sweepParts } from './upload-parts.js';
import type { UploadedMediaStore } from './uploaded-media.store.js';

/** Dependencies of {@link UploadCleanUp}. */
export interface UploadCleanUpDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly store: Pick<UploadedMediaStore, 'forgetOldParts'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** How long after the start no uploaded file is removed. Default a day. */
  readonly removalDelayMs?: number;
}

const sweepIntervalMs = dayMs;
const removalIntervalMs = hourMs;
/**
 * How long an uploaded file waits for its recording: as long as a broker keeps posts for a hub that is not connected. A
 * detector without a network may post later than it uploads.
 */
const maxWaitMs = 7 * dayMs;

/** Removes abandoned uploads: unfinished ones at the start and once a day, those without a recording every hour. */
export class UploadCleanUp {
  readonly #deps: UploadCleanUpDeps;
  readonly #sweep: Loop;
  readonly #removal: Loop;

  constructor(deps: UploadCleanUpDeps) {
    this.#deps = deps;
    this.#sweep = createLoop({
      everyMs: sweepIntervalMs,
      retryMs: 600_000,
      work: async (signal) => {
        const removed = await sweepParts(deps.recordingsDir, deps.clock.now(), signal);
        if (removed) deps.log.info({ removed }, 'unfinished uploads removed');
      },
      onError: (error) => deps.log.warn({ err: error }, 'removal of unfinished uploads failed'),
    });
    this.#removal = createLoop({
      everyMs: removalIntervalMs,
      // Detectors that waited for the hub post first. The clock may have been set after the start.
      firstAfterMs: deps.removalDelayMs ?? freshUploadMs,
      work: (signal) => this.#removeUnposted(signal),
      onError: (error) => deps.log.warn({ err: error }, 'removal of uploads without a recording failed'),
    });
  }

  start(): void {
    this.#sweep.start();
    this.#removal.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#sweep.stop(), this.#removal.stop()]);
  }

  async #removeUnposted(signal: AbortSignal): Promise<void> {
    const { pool, store, clock, log } = this.#deps;
    await forgetPostedUploads(pool);
    await store.forgetOldParts();
    const removed = await removeWaitingUploads(this.#deps, { before: clock.now() - maxWaitMs, signal });
    if (removed.files) log.info(removed, 'uploaded files without a recording removed');
  }
}
