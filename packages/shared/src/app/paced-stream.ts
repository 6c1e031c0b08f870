import { Readable } from 'node:stream';

/** Maximum size of a chunk, which is the precision of the measured pace. */
const chunkBytes = 64 * 1024;
const checkIntervalMs = 1_000;

/** The minimum pace of a reader. */
export interface PaceOptions {
  /** A reader that reads nothing for this long is disconnected. */
  readonly stallTimeoutMs: number;
  /** Whether others are waiting for the resources of this response; the minimum rate applies only then. */
  readonly isWanted?: () => boolean;
  /** Minimum rate, measured over the time spent waiting for the reader. */
  readonly minBytesPerSecond?: number;
  /** The time over which the rate is measured. */
  readonly rateWindowMs?: number;
}

/** Thrown when a client reads a response too slowly. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';

  constructor() {
    super('the client reads the response too slowly');
  }
}

/** Measures how long a response waited for its reader and how much was read. */
class ReaderPace {
  readonly #options: Required<PaceOptions>;
  #waitsSince: number | undefined = performance.now();
  #countedFrom = performance.now();
  #waitedMs = 0;
  #bytes = 0;

  constructor({
    isWanted = () => false,
    minBytesPerSecond = 32_768,
    rateWindowMs = 10_000,
    ...rest
  }: PaceOptions) {
    this.#options = { isWanted, minBytesPerSecond, rateWindowMs, ...rest };
  }

  /** Called when the next chunk is ready for the reader. */
  offer(): void {
    this.#waitsSince = performance.now();
    this.#countedFrom = this.#waitsSince;
  }

  /** Called when the reader wants more. */
  taken(bytes: number): void {
    this.#count();
    this.#waitsSince = undefined;
    this.#bytes += bytes;
  }

  isTooSlow(): boolean {
    const { stallTimeoutMs, isWanted, minBytesPerSecond, rateWindowMs } = this.#options;
    this.#count();
    if (this.#waitsSince !== undefined && performance.now() - this.#waitsSince >= stallTimeoutMs) return true;
    if (isWanted() && this.#waitedMs < rateWindowMs) return false;
    const isBelowRate = isWanted() && (this.#bytes * 1_000) / this.#waitedMs < minBytesPerSecond;
    this.#waitedMs = 0;
    this.#bytes = 0;
    return isBelowRate;
  }

  #count(): void {
    if (this.#waitsSince === undefined) return;
    const now = performance.now();
    this.#waitedMs += now - this.#countedFrom;
    this.#countedFrom = now;
  }
}

async function* oneChunk(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}

/**
 * Streams a whole body or chunks, whose iterator is closed when the stream ends, is destroyed or its reader is too slow.
 * `onClosed` is called once after that, also when the reader disconnects before the first chunk.
 */
export function pacedStream(
  body: Buffer | AsyncIterable<string | Buffer>,
  options: PaceOptions,
  onClosed?: () => void,
): Readable {
  const chunks = Buffer.isBuffer(body) ? oneChunk(body) : body;
  const iterator = chunks[Symbol.asyncIterator]();
  const pace = new ReaderPace(options);

  async function* inParts(): AsyncGenerator<Buffer> {
    pace.taken(0);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const bytes = typeof next.value === 'string' ? Buffer.from(next.value) : next.value;
      for (let start = 0; start < bytes.length; start += chunkBytes) {
        const part = bytes.subarray(start, start + chunkBytes);
        pace.offer();
        yield part;
        pace.taken(part.length);
      }
    }
  }

  const stream = Readable.from(inParts(), { objectMode: false, highWaterMark: chunkBytes });
  const check = setInterval(() => {
    if (pace.isTooSlow()) stream.destroy(new SlowReaderError());
  }, checkIntervalMs).unref();
  stream.once('close', async () => {
    clearInterval(check);
    await iterator.return?.().catch(() => undefined);
    onClosed?.();
  });
  return stream;
}
