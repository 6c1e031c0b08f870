/** What a recording waits with. */
export interface PictureOrder<Options> {
  readonly videoId: number;
  /** Start of the recording, in ms: what is newer comes first. */
  readonly start: number;
  /** Somebody waits for it: it comes before all that nobody waits for. */
  readonly isRequested?: boolean;
  readonly options?: Options;
}

/** Thrown for a requested recording when too many wait already. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** How many are worked on and may wait. */
export interface QueueLimits {
  /** Recordings in hand at once; one more when somebody waits for it. */
  readonly maxAtOnce: number;
  readonly maxRequested?: number;
  /** Beyond this the oldest is dropped: the database knows which recordings lack pictures. */
  readonly maxWaiting?: number;
}

/** What is done with a recording; `isRequested` says that somebody waits for it. */
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

/** Every so many the oldest has its turn, so that it comes also while new ones never end. */
const oldestEvery = 8;

/**
 * The order in which recordings get their pictures: first what somebody waits for, then the newest. A recording waits
 * once however often it is added, and is in hand once at a time.
 */
export class PictureQueue<Options, Outcome> {
  readonly #work: PictureWork<Options, Outcome>;
  readonly #limits: Required<QueueLimits>;
  readonly #requested = new Map<number, Entry<Options, Outcome>>();
  readonly #waiting = new Map<number, Entry<Options, Outcome>>();
  /** By start, the newest last; entries that no longer wait are passed over. */
  readonly #order: Entry<Options, Outcome>[] = [];
  readonly #inHand = new Map<number, Promise<Outcome | undefined>>();
  #taken = 0;
  #isClosed = false;

  constructor(work: PictureWork<Options, Outcome>, limits: QueueLimits) {
    this.#work = work;
    this.#limits = { maxRequested: 256, maxWaiting: 100_000, ...limits };
  }

  /** How many recordings wait. */
  get size(): number {
    return this.#requested.size + this.#waiting.size;
  }

  /** Whether a recording waits or is in hand. */
  has(videoId: number): boolean {
    return this.#requested.has(videoId) || this.#waiting.has(videoId) || this.#inHand.has(videoId);
  }

  /**
   * Resolves with what became of the recording; undefined when it was dropped or the queue closed before its turn.
   * @throws QueueFullError when somebody waits and too many do; what the work throws
   */
  add(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const entry = order.isRequested ? this.#request(order) : this.#append(order);
    this.#startNext();
    return entry;
  }

  /** Drops what waits; resolves when what is in hand is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const entry of [...this.#requested.values(), ...this.#waiting.values()]) entry.settle(undefined);
    this.#requested.clear();
    this.#waiting.clear();
    this.#order.length = 0;
    await Promise.allSettled(this.#inHand.values());
  }

  #request(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    const known = this.#requested.get(order.videoId)?.done ?? this.#inHand.get(order.videoId);
    if (known) return known;
    if (this.#requested.size >= this.#limits.maxRequested)
      return Promise.reject(new QueueFullError('too many pictures are asked for'));
    const entry = this.#waiting.get(order.videoId) ?? toEntry<Options, Outcome>(order);
    this.#waiting.delete(order.videoId);
    this.#requested.set(order.videoId, entry);
    return entry.done;
  }

  #append(order: PictureOrder<Options>): Promise<Outcome | undefined> {
    const known = this.#requested.get(order.videoId) ?? this.#waiting.get(order.videoId);
    if (known && (order.options === undefined || known.options !== undefined)) return known.done;
    // What comes with options, a job's, is worked on by itself behind what waits without.
    if (known) return known.done.catch(() => undefined).then(() => this.add(order));
    const entry = toEntry<Options, Outcome>(order);
    this.#waiting.set(order.videoId, entry);
    this.#order.splice(this.#placeOf(order.start), 0, entry);
    if (this.#waiting.size > this.#limits.maxWaiting) this.#takeFrom('oldest')?.settle(undefined);
    return entry.done;
  }

  /** Behind all that are not newer. */
  #placeOf(start: number): number {
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
      if (this.#inHand.has(entry.videoId)) skipped.push(entry);
      else found = entry;
    }
    for (const entry of skipped) this.#order.splice(this.#placeOf(entry.start), 0, entry);
    if (found) this.#waiting.delete(found.videoId);
    return found;
  }

  #takeRequested(): Entry<Options, Outcome> | undefined {
    for (const [videoId, entry] of this.#requested) {
      if (this.#inHand.has(videoId)) continue;
      this.#requested.delete(videoId);
      entry.isRequested = true;
      return entry;
    }
    return undefined;
  }

  #take(): Entry<Options, Outcome> | undefined {
    const busy = this.#inHand.size;
    if (busy > this.#limits.maxAtOnce) return undefined;
    const requested = this.#takeRequested();
    if (requested || busy >= this.#limits.maxAtOnce) return requested;
    this.#taken += 1;
    return this.#takeFrom(this.#taken % oldestEvery === 0 ? 'oldest' : 'newest');
  }

  #startNext(): void {
    for (let entry = this.#take(); entry; entry = this.#take()) this.#start(entry);
  }

  #start({ videoId, options, isRequested, done, settle }: Entry<Options, Outcome>): void {
    this.#inHand.set(videoId, done);
    const outcome = this.#work(videoId, { options, isRequested });
    settle(outcome);
    const goOn = () => {
      this.#inHand.delete(videoId);
      this.#startNext();
    };
    outcome.then(goOn, goOn);
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
  // Whoever waits sees what went wrong; that nobody waits is no error.
  done.catch(() => undefined);
  return { videoId, start, options, isRequested: false, done, settle };
}
