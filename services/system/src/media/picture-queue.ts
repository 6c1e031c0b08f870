/** A recording to be queued. */
export interface PictureOrder<Options> {
  readonly videoId: number;
  /** Start of the recording, in ms; newer ones come first. */
  readonly start: number;
  /** Whether a request waits for it; such recordings have priority. */
  readonly isRequested?: boolean;
  readonly options?: Options;
}

/** Thrown for a requested recording when too many are queued. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** Limits of the queue. */
export interface QueueLimits {
  /** Maximum concurrent recordings; one more for requests. */
  readonly maxConcurrency: number;
  readonly maxRequested?: number;
  /** Above this the oldest is dropped, as missing pictures can be found by the database. */
  readonly maxWaiting?: number;
}

/** The work on a recording. */
export type PictureWork<Options, Outcome> = (
  videoId: number,
  how: { readonly options: Options | undefined; readonly isRequested: boolean },
) => Promise<Outcome>;

interface Entry<Options, Outcome> {
  readonly videoId: number;
  readonly start: number;
  readonly options: Options | undefined;
  isRequested: boolean;
  readonly done: Promise<Outcome | undefined>;
  settle(outcome: Promise<Outcome> | undefined): void;
}

/** Every eighth recording is the oldest one, to prevent starvation. */
const oldestEvery = 8;

/**
 * Processes recordings: requested ones first, then the newest. A recording is queued only once, and not processed
 * concurrently.
 */
export class PictureQueue<Options, Outcome> {
  readonly #work: PictureWork<Options, Outcome>;
  readonly #limits: Required<QueueLimits>;
  readonly #requested = new Map<number, Entry<Options, Outcome>>();
  readonly #waiting = new Map<number, Entry<Options, Outcome>>();
  /** By start, newest last; entries that no longer wait are skipped. */
  readonly #order: Entry<Options, Outcome>[] = [];
  readonly #inProgress = new Map<number, Promise<Outcome | undefined>>();
  #taken = 0;
  #isClosed = false;

  constructor(work: PictureWork<Options, Outcome>, limits: QueueLimits) {
    this.#work = work;
    this.#limits = { maxRequested: 256, maxWaiting: 100_000, ...limits };
  }

  /** Number of queued recordings. */
  get size(): number {
    return this.#requested.size + this.#waiting.size;
  }

  /** Whether a recording is queued or being processed. */
  has(videoId: number): boolean {
    return this.#requested.has(videoId) || this.#waiting.has(videoId) || this.#inProgress.has(videoId);
  }

  /**
   * Resolves to the outcome of the work; undefined when the recording was dropped or the queue was closed.
   * @throws QueueFullError for a requested recording above the limit; errors of the work
   */
  add(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const entry = order.isRequested ? this.#request(order) : this.#append(order);
    this.#startNext();
    return entry;
  }

  /** Drops queued recordings; resolves when the work in progress is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of [...this.#requested.values(), ...this.#waiting.values()]) entry.settle(undefined);
    this.#requested.clear();
    this.#waiting.clear();
    this.#order.length = 0;
    await Promise.allSettled(this.#inProgress.values());
  }

  #request(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    const pending = this.#requested.get(order.videoId)?.done ?? this.#inProgress.get(order.videoId);
    if (pending) return pending;
    if (this.#requested.size >= this.#limits.maxRequested)
      return Promise.reject(new QueueFullError('too many pictures have been requested'));
    const entry = this.#waiting.get(order.videoId) ?? toEntry<Options, Outcome>(order);
    this.#waiting.delete(order.videoId);
    this.#requested.set(order.videoId, entry);
    return entry.done;
  }

  #append(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    const queued = this.#requested.get(order.videoId) ?? this.#waiting.get(order.videoId);
    if (queued && (order.options === undefined || queued.options !== undefined)) return queued.done;
    // An order with options, from a job, runs after the queued one without.
    if (queued) return queued.done.catch(() => undefined).then(() => this.add(order));
    const entry = toEntry<Options, Outcome>(order);
    this.#waiting.set(order.videoId, entry);
    this.#order.splice(this.#indexFor(order.start), 0, entry);
    if (this.#waiting.size > this.#limits.maxWaiting) this.#takeFrom('oldest')?.settle(undefined);
    return entry.done;
  }

  /** Returns the index after all entries that are not newer. */
  #indexFor(start: number): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#order[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #takeFrom(end: 'newest' | 'oldest'): Entry<Options, Outcome> | undefined {
    const skipped: Entry<Options, Outcome>[] = [];
    let found: Entry<Options, Outcome> | undefined;
    while (!found && this.#order.length) {
      const entry = end === 'newest' ? this.#order.pop() : this.#order.shift();
      if (!entry || this.#waiting.get(entry.videoId) !== entry) continue;
      if (this.#inProgress.has(entry.videoId)) skipped.push(entry);
      else found = entry;
    }
    for (const entry of skipped) this.#order.splice(this.#indexFor(entry.start), 0, entry);
    if (found) this.#waiting.delete(found.videoId);
    return found;
  }

  #takeRequested(): Entry<Options, Outcome> | undefined {
    for (const [videoId, entry] of this.#requested) {
      if (this.#inProgress.has(videoId)) continue;
      this.#requested.delete(videoId);
      entry.isRequested = true;
      return entry;
    }
    return undefined;
  }

  #take(): Entry<Options, Outcome> | undefined {
    const busy = this.#inProgress.size;
    if (busy > this.#limits.maxConcurrency) return undefined;
    const requested = this.#takeRequested();
    if (requested || busy >= this.#limits.maxConcurrency) return requested;
    this.#taken += 1;
    return this.#takeFrom(this.#taken % oldestEvery === 0 ? 'oldest' : 'newest');
  }

  #startNext(): void {
    for (let entry = this.#take(); entry; entry = this.#take()) this.#start(entry);
  }

  #start({ videoId, options, isRequested, done, settle }: Entry<Options, Outcome>): void {
    this.#inProgress.set(videoId, done);
    const outcome = this.#work(videoId, { options, isRequested });
    settle(outcome);
    const next = () => {
      this.#inProgress.delete(videoId);
      this.#startNext();
    };
    outcome.then(next, next);
  }
}

function toEntry<Options, Outcome>({
  videoId,
  start,
  options,
}: PictureOrder<Options>): Entry<Options, Outcome> {
  let settle: Entry<Options, Outcome>['settle'] = () => {};
  const done = new Promise<Outcome | undefined>((resolve) => {
    settle = resolve;
  });
  // Prevents an unhandled rejection when no caller awaits it.
  done.catch(() => undefined);
  return { videoId, start, options, isRequested: false, done, settle };
}
