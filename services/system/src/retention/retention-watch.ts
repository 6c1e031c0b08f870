import type { SettingsReader } from '@birdhub/domain/settings';
import { expectedBytes, isStorageExhausted, minFreeBytes, noteStorageState } from '@birdhub/domain/storage';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { hourMs } from '@birdhub/shared/time';
import { applyRetention, type RetentionDeps, readUploads } from './retention.js';

/** Intervals in ms. */
export interface WatchIntervals {
  readonly runMs: number;
  readonly pollMs: number;
  /** Between two runs to free space. */
  readonly retryMs: number;
}

const defaults: WatchIntervals = { runMs: hourMs, pollMs: 5_000, retryMs: 60_000 };

/** Dependencies of the watch. */
export interface RetentionWatchDeps extends RetentionDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
}

/**
 * Applies retention in the background, hourly and whenever the disk runs short of space. Several processes may do so;
 * only one applies retention at a time.
 */
export class RetentionWatch {
  readonly #deps: RetentionWatchDeps;
  readonly #intervals: WatchIntervals;
  readonly #loop: Loop;
  #lastRunAt: number;
  #lastAttemptAt = Number.NEGATIVE_INFINITY;
  #isExhausted = false;
  #stopWatching = () => {};

  constructor(deps: RetentionWatchDeps, intervals: WatchIntervals = defaults) {
    this.#deps = deps;
    this.#intervals = intervals;
    this.#lastRunAt = deps.clock.now();
    this.#loop = createLoop({
      work: (signal) => this.#check(signal),
      everyMs: intervals.pollMs,
      onError: (error) => deps.log.warn({ err: error }, 'disk space not checked'),
    });
  }

  start(): void {
    this.#loop.start();
    this.#stopWatching = this.#deps.settings.watch(() => {
      this.#lastAttemptAt = Number.NEGATIVE_INFINITY;
      this.#loop.wake();
    }, ['retention']);
  }

  async stop(): Promise<void> {
    this.#stopWatching();
    await this.#loop.stop();
  }

  /** Whether the disk was full at the last check, with nothing left that may be purged without a confirmation. */
  isExhausted(): boolean {
    return this.#isExhausted;
  }

  async #check(signal: AbortSignal): Promise<void> {
    const { pool, clock, log } = this.#deps;
    const { runMs, retryMs } = this.#intervals;
    const now = clock.now();
    const wasShort = (await this.#shortBytes()) > 0;
    // After the clock was set back, it is due at once.
    const hasPassed = (ms: number, since: number) => now < since || now - since >= ms;
    const isDue = hasPassed(runMs, this.#lastRunAt) || (wasShort && hasPassed(retryMs, this.#lastAttemptAt));
    let freed: boolean | undefined;
    if (isDue) {
      this.#lastRunAt = now;
      this.#lastAttemptAt = now;
      freed = await this.#run(signal);
    }
    const shortBytes = wasShort && isDue ? await this.#shortBytes() : 0;
    const isShort = wasShort && (!isDue || shortBytes > 0);
    // The next shortage is handled at once.
    if (!isShort) this.#lastAttemptAt = Number.NEGATIVE_INFINITY;
    if (isShort && freed === undefined) {
      // Only a run shows whether anything may be purged; until then the last known state of the hub holds.
      this.#isExhausted = await isStorageExhausted(pool);
      return;
    }
    // Recordings must be accepted while the space is taken by uploads that wait for them.
    const expected = isShort ? await this.#expectedBytes() : 0;
    this.#isExhausted = isShort && freed === false && expected < shortBytes;
    if (!(await noteStorageState(pool, this.#isExhausted))) return;
    if (this.#isExhausted) log.error('the disk is full, and nothing may be purged');
    else log.info('the disk has free space again');
  }

  /** Returns how many bytes are missing for the minimum of free space; not above 0 when there is enough. */
  async #shortBytes(): Promise<number> {
    const { readFreeBytes, settings } = this.#deps;
    const free = await readFreeBytes();
    return free === undefined ? 0 : minFreeBytes((await settings.current()).retention) - free;
  }

  async #expectedBytes(): Promise<number> {
    const { retention } = await this.#deps.settings.current();
    return expectedBytes(await readUploads(this.#deps), minFreeBytes(retention));
  }

  /** Returns whether files were purged; undefined while another process runs retention. */
  async #run(signal: AbortSignal): Promise<boolean | undefined> {
    const outcome = await applyRetention(this.#deps, {
      isDryRun: false,
      isConfirmed: false,
      requestId: 'retention',
      startedBy: 'schedule',
      signal,
    });
    return outcome && outcome.deletedCount > 0;
  }
}
