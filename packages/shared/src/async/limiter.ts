import { HubError } from '../errors/index.js';

/** Releases what was acquired; calling it again does nothing. */
export type Release = () => void;

/** The limits of a limiter. */
export interface LimiterOptions {
  /** Maximum units in use at the same time. */
  readonly max: number;
  /** Maximum waiting callers; further ones are refused immediately. */
  readonly maxWaiting: number;
  /** Maximum time that a caller waits before it is refused. */
  readonly waitTimeoutMs: number;
  /** `Retry-After` of a refusal. */
  readonly retryAfterSeconds?: number;
}

/** Options of a call of a limiter. */
export interface AcquireOptions {
  /** Units to acquire, capped at `max`. Default 1. */
  readonly units?: number;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
}

interface Waiting {
  readonly units: number;
  readonly start: (release: Release) => void;
}

/** Limits concurrent use in FIFO order, with a bounded queue and a timeout for waiting callers. */
class Limiter {
  readonly #options: LimiterOptions;
  readonly #waiting = new Set<Waiting>();
  #inUse = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
  }

  /** Units in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Number of waiting callers. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Waits for units, which the caller releases. @throws HubError busy, the reason of an abort */
  async acquire({ units = 1, signal }: AcquireOptions = {}): Promise<Release> {
    signal?.throwIfAborted();
    const needed = Math.min(units, this.#options.max);
    if (this.#waiting.size === 0 && this.#fits(needed)) return this.take(needed);
    if (this.#waiting.size >= this.#options.maxWaiting) throw this.refusal();
    return this.#wait(needed, signal);
  }

  /** Takes units immediately, even beyond the maximum; callers of `acquire` wait until enough are released. */
  take(units: number): Release {
    let isHeld = true;
    this.#inUse += units;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#inUse -= units;
      this.#startNext();
    };
  }

  /**
   * Runs `work` while holding units.
   * @throws HubError busy, the reason of an abort, what `work` throws
   */
  async run<T>(work: () => Promise<T>, options?: AcquireOptions): Promise<T> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Returns the error of a refusal. */
  refusal(): HubError {
    return new HubError('busy', { retryAfterSeconds: this.#options.retryAfterSeconds ?? 5 });
  }

  #fits(units: number): boolean {
    return this.#inUse + units <= this.#options.max;
  }

  #wait(units: number, signal: AbortSignal | undefined): Promise<Release> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(waiting);
      };
      const fail = (error: unknown) => {
        leave();
        reject(error);
        // The aborted request may have been blocking smaller ones behind it.
        this.#startNext();
      };
      const abort = () => fail(signal?.reason);
      const timer = setTimeout(() => fail(this.refusal()), this.#options.waitTimeoutMs);
      const start = (release: Release) => {
        leave();
        resolve(release);
      };
      const waiting: Waiting = { units, start };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.add(waiting);
    });
  }

  #startNext(): void {
    for (const waiting of this.#waiting) {
      if (!this.#fits(waiting.units)) return;
      waiting.start(this.take(waiting.units));
    }
  }
}

export type { Limiter };

/** Creates a limiter. Use `p-limit` for work that may wait without a limit. */
export function createLimiter(options: LimiterOptions): Limiter {
  return new Limiter(options);
}
