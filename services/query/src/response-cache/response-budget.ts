import { createLimiter, type Limiter, type Release } from '@birdhub/shared/async';

const maxWaiting = 16;
const waitTimeoutMs = 15_000;
/** Responses up to this size need no reservation; their number is limited by the database connections. */
const smallBytes = 8 * 1024 * 1024;
/** Bodies below this size are not counted while they are sent. */
const countedBytes = 256 * 1024;
/** How long a refused caller counts as waiting. */
const refusalMemoryMs = 20_000;

/** Limits the total size of responses that are being created or sent, so that memory stays bounded. */
export class ResponseBudget {
  readonly smallBytes = smallBytes;
  readonly #limiter: Limiter;
  readonly #maxBytes: number;
  #sentBytes = 0;
  #refusedAt = Number.NEGATIVE_INFINITY;
  readonly #sent = new Map<Buffer, { readers: number; readonly release: Release }>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#limiter = createLimiter({ max: maxBytes, maxWaiting, waitTimeoutMs });
  }

  /** Bytes of responses that are being created or sent. */
  get inUse(): number {
    return this.#limiter.inUse;
  }

  /** Whether a caller is queued or was refused recently. */
  get isWanted(): boolean {
    return this.#limiter.waiting > 0 || performance.now() - this.#refusedAt < refusalMemoryMs;
  }

  /**
   * Creates a large response when the budget allows; the reservation ends when its readers have taken over.
   * @throws HubError busy
   */
  async reserve<T>(bytes: number, make: () => Promise<T>): Promise<T> {
    const release = await this.#limiter.acquire({ units: bytes });
    try {
      return await make();
    } finally {
      // Its readers continue within this tick of the event loop and make their own reservations.
      setImmediate(release);
    }
  }

  /**
   * Reserves the size of a body while it is compressed or sent, once for all its readers; undefined for small ones.
   * @throws HubError busy when there is no room
   */
  hold(body: Buffer): Release | undefined {
    if (body.length < countedBytes) return undefined;
    const sent = this.#sent.get(body) ?? { readers: 0, release: this.#take(body.length) };
    sent.readers += 1;
    this.#sent.set(body, sent);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      sent.readers -= 1;
      if (sent.readers > 0) return;
      this.#sent.delete(body);
      sent.release();
    };
  }

  /** A body may exceed the budget, as its size is only known when it exists. */
  #take(bytes: number): Release {
    if (this.#sentBytes >= this.#maxBytes) {
      this.#refusedAt = performance.now();
      throw this.#limiter.refusal();
    }
    this.#sentBytes += bytes;
    const release = this.#limiter.take(bytes);
    return () => {
      this.#sentBytes -= bytes;
      release();
    };
  }
}
