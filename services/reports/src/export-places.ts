import type { Readable } from 'node:stream';
import { pacedStream, SlowReaderError } from '@birdhub/shared/app';
import { createLimiter, type Limiter, type Release } from '@birdhub/shared/async';
import type { Logger } from 'pino';

/** How many exports may hold a snapshot of the database, and how long a reader may hold one. */
export interface ExportPlacesOptions {
  /** Most exports under way at once, sent ones included until their reader has all of them. */
  readonly maxExports: number;
  /** Longest time in which a reader takes nothing. */
  readonly stallTimeoutMs: number;
  /** Longest time that an export waits for a place. */
  readonly waitTimeoutMs?: number;
  readonly log: Pick<Logger, 'info'>;
}

const maxWaitingExports = 16;
const defaultWaitTimeoutMs = 15_000;

/** Most exports at once with so many connections: the other routes need some of them. */
export const maxExportsFor = (poolSize: number): number => Math.max(1, Math.min(3, poolSize - 2));

/**
 * The places of exports. An export keeps its place, and with it a transaction or its whole text in memory, from
 * its first statement until its reader has taken the last byte, has left, or was cut for being too slow.
 */
export class ExportPlaces {
  readonly #limiter: Limiter;
  readonly #stallTimeoutMs: number;
  readonly #log: Pick<Logger, 'info'>;

  constructor({
    maxExports,
    stallTimeoutMs,
    waitTimeoutMs = defaultWaitTimeoutMs,
    log,
  }: ExportPlacesOptions) {
    this.#limiter = createLimiter({ max: maxExports, maxWaiting: maxWaitingExports, waitTimeoutMs });
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#log = log;
  }

  /** Exports that hold a place. */
  get underWay(): number {
    return this.#limiter.inUse;
  }

  /**
   * Begins an export when a place is free and returns it as a stream, which frees the place when it closes.
   * @throws HubError busy, the reason of an abort, what `begin` throws
   */
  async open(signal: AbortSignal, begin: () => Promise<AsyncIterable<string | Buffer>>): Promise<Readable> {
    const release = await this.#limiter.acquire({ signal });
    try {
      return this.#send(await begin(), signal, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  #send(pieces: AsyncIterable<string | Buffer>, signal: AbortSignal, release: Release): Readable {
    const isWanted = () => this.#limiter.waiting > 0;
    const stream = pacedStream(pieces, { stallTimeoutMs: this.#stallTimeoutMs, isWanted }, release);
    const leave = () => stream.destroy();
    signal.addEventListener('abort', leave, { once: true });
    stream.once('close', () => signal.removeEventListener('abort', leave));
    stream.once('error', (error) => {
      if (error instanceof SlowReaderError) this.#log.info({ reason: error.message }, 'export cut');
    });
    if (signal.aborted) leave();
    signal.throwIfAborted();
    return stream;
  }
}

/** A text that is there already, as pieces. */
export async function* inOnePiece(text: Buffer): AsyncGenerator<Buffer> {
  yield text;
}
