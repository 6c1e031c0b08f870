import type { Readable } from 'node:stream';
import { pacedStream, SlowReaderError } from '@birdhub/shared/app';
import { createLimiter, type Limiter, type Release } from '@birdhub/shared/async';
import type { Logger } from 'pino';

/** Limits of exports, which hold a snapshot of the database. */
export interface ExportSlotsOptions {
  /** Maximum concurrent exports, until their last byte was read. */
  readonly maxExports: number;
  /** Maximum time for which a reader may stall. */
  readonly stallTimeoutMs: number;
  /** Maximum time that an export waits for a slot. */
  readonly waitTimeoutMs?: number;
  readonly log: Pick<Logger, 'info'>;
}

const maxWaitingExports = 16;
const maxWaitingPerClient = 8;
const defaultWaitTimeoutMs = 15_000;

/** Whose export it is. */
export interface ExportClient {
  /** The address by which clients are counted. */
  readonly key: string;
  /** Fires when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Returns the number of concurrent exports for a pool of connections, of which other routes need some. */
export const maxExportsFor = (poolSize: number): number => Math.max(1, Math.min(3, poolSize - 2));

/**
 * Limits exports, and those of a client to half of the slots, rounded up; its others wait. An export holds its slot, and
 * with it a transaction or its entire text in memory, from its first statement until its reader has read the last byte,
 * disconnects, or is cut off for being too slow.
 */
export class ExportSlots {
  readonly #limiter: Limiter;
  /** By client, while it has exports. */
  readonly #ofClients = new Map<string, Limiter>();
  readonly #maxPerClient: number;
  readonly #waitTimeoutMs: number;
  readonly #stallTimeoutMs: number;
  readonly #log: Pick<Logger, 'info'>;

  constructor({ maxExports, stallTimeoutMs, waitTimeoutMs = defaultWaitTimeoutMs, log }: ExportSlotsOptions) {
    this.#waitTimeoutMs = waitTimeoutMs;
    this.#maxPerClient = Math.ceil(maxExports / 2);
    this.#limiter = this.#createLimiter(maxExports, maxWaitingExports);
    this.#stallTimeoutMs = stallTimeoutMs;
    this.#log = log;
  }

  /** Exports that hold a slot. */
  get inUse(): number {
    return this.#limiter.inUse;
  }

  /**
   * Waits for a slot and returns an export as a stream, which releases the slot when it closes.
   * @throws HubError busy, the reason of an abort, errors of `begin`
   */
  async open(
    { key, signal }: ExportClient,
    begin: () => Promise<Buffer | AsyncIterable<string | Buffer>>,
  ): Promise<Readable> {
    const release = await this.#acquire(key, signal);
    try {
      return this.#send(await begin(), { key, signal }, release);
    } catch (error) {
      release();
      throw error;
    }
  }

  async #acquire(key: string, signal: AbortSignal): Promise<Release> {
    const ofClient = this.#ofClients.get(key) ?? this.#createLimiter(this.#maxPerClient, maxWaitingPerClient);
    this.#ofClients.set(key, ofClient);
    const forget = () => {
      const isIdle = ofClient.inUse + ofClient.waiting === 0;
      if (isIdle && this.#ofClients.get(key) === ofClient) this.#ofClients.delete(key);
    };
    try {
      const release = await ofClient.acquire({ signal });
      try {
        const releaseSlot = await this.#limiter.acquire({ signal });
        return () => {
          releaseSlot();
          release();
          forget();
        };
      } catch (error) {
        release();
        throw error;
      }
    } catch (error) {
      forget();
      throw error;
    }
  }

  #createLimiter(max: number, maxWaiting: number): Limiter {
    return createLimiter({ max, maxWaiting, waitTimeoutMs: this.#waitTimeoutMs });
  }

  #send(
    body: Buffer | AsyncIterable<string | Buffer>,
    { key, signal }: ExportClient,
    release: Release,
  ): Readable {
    const isWanted = () => this.#limiter.waiting > 0 || (this.#ofClients.get(key)?.waiting ?? 0) > 0;
    const stream = pacedStream(body, { stallTimeoutMs: this.#stallTimeoutMs, isWanted }, release);
    const cancel = () => stream.destroy();
    signal.addEventListener('abort', cancel, { once: true });
    stream.once('close', () => signal.removeEventListener('abort', cancel));
    stream.once('error', (error) => {
      if (error instanceof SlowReaderError) this.#log.info({ reason: error.message }, 'export cancelled');
    });
    if (signal.aborted) cancel();
    signal.throwIfAborted();
    return stream;
  }
}
