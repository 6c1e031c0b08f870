import { Readable } from 'node:stream';

/** Bytes handed on at once: how much a reader takes is known to this exactness. */
const pieceBytes = 64 * 1024;
const checkIntervalMs = 1_000;

/** Below what pace a reader is cut. */
export interface PaceOptions {
  /** Longest time in which a reader takes nothing. */
  readonly stallTimeoutMs: number;
  /** Whether others wait for what this answer holds; only then the rate below counts. */
  readonly isWanted?: () => boolean;
  /** Least bytes per second of the time that is spent waiting for the reader. */
  readonly minBytesPerSecond?: number;
  /** Over how much of that time the rate is measured. */
  readonly rateWindowMs?: number;
}

/** A reader took an answer too slowly. */
export class SlowReaderError extends Error {
  override readonly name = 'SlowReaderError';

  constructor() {
    super('the reader takes the answer too slowly');
  }
}

/** How long a reader has kept an answer waiting and what it took meanwhile. */
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

  /** The next piece lies ready for the reader. */
  offer(): void {
    this.#waitsSince = performance.now();
    this.#countedFrom = this.#waitsSince;
  }

  /** The reader asks for more. */
  took(bytes: number): void {
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

/**
 * The pieces as a stream that is destroyed, with all that `pieces` holds, when its reader takes it too slowly.
 * `onClosed` is called once, when `pieces` has ended or was left: whoever leaves before the first piece ends it too.
 */
export function pacedStream(
  pieces: AsyncIterable<string | Buffer>,
  options: PaceOptions,
  onClosed?: () => void,
): Readable {
  const iterator = pieces[Symbol.asyncIterator]();
  const pace = new ReaderPace(options);

  async function* inParts(): AsyncGenerator<Buffer> {
    pace.took(0);
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      const bytes = Buffer.from(next.value);
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        const part = bytes.subarray(start, start + pieceBytes);
        pace.offer();
        yield part;
        pace.took(part.length);
      }
    }
  }

  const stream = Readable.from(inParts(), { objectMode: false, highWaterMark: pieceBytes });
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
