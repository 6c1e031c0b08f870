import type { Readable } from 'node:stream';
import { HubError } from '@birdhub/shared/errors';

/** Thrown when the client disconnects or stalls, or the service stops; the bytes received so far are valid. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

/**
 * Whether an error is the premature end of a body; the cause is the reason of the signal, a HubError or an error of the
 * connection.
 */
export const isInterruption = (error: unknown): error is Error => error instanceof InterruptedError;

interface BodyOptions {
  readonly maxBytes: number;
  /** Maximum time without data. Default 45 s. */
  readonly idleTimeoutMs: number | undefined;
  /** Interrupts reading. */
  readonly signal: AbortSignal;
}

/**
 * The body of a request, chunk by chunk, with a size limit and an idle timeout. The request is never destroyed, so that
 * its client gets a response.
 */
export class UploadBody {
  readonly #body: Readable;
  readonly #options: BodyOptions;
  readonly #peeked: Buffer[] = [];
  readonly #detach: () => void;
  #interruption: InterruptedError | undefined;
  #isEnded = false;
  #wake: (() => void) | undefined;

  constructor(body: Readable, options: BodyOptions) {
    const { signal } = options;
    this.#body = body;
    this.#options = options;
    const onReadable = () => this.#wake?.();
    const onEnd = () => {
      this.#isEnded = true;
      this.#wake?.();
    };
    const onError = (error: unknown) => this.#interrupt(error);
    const onClose = () => {
      if (!this.#isEnded) this.#interrupt(new Error('the connection was closed'));
    };
    const onAbort = () => this.#interrupt(signal.reason);
    body.on('readable', onReadable).on('end', onEnd).on('error', onError).on('close', onClose);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#detach = () => {
      body.off('readable', onReadable).off('end', onEnd).off('close', onClose);
      signal.removeEventListener('abort', onAbort);
    };
    if (signal.aborted) onAbort();
    if (body.readableEnded) onEnd();
    else if (body.destroyed) onClose();
  }

  /** Returns the first bytes, fewer when the body is shorter, without consuming them. */
  async peek(count: number): Promise<Buffer> {
    let length = 0;
    while (length < count) {
      const chunk = await this.#next();
      if (!chunk) break;
      this.#peeked.push(chunk);
      length += chunk.length;
    }
    return Buffer.concat(this.#peeked).subarray(0, count);
  }

  /** Yields the body. @throws HubError payload_too_large, an error that {@link isInterruption} */
  async *chunks(): AsyncGenerator<Buffer> {
    let length = 0;
    for (;;) {
      const chunk = this.#peeked.shift() ?? (await this.#next());
      if (!chunk) return;
      length += chunk.length;
      if (length > this.#options.maxBytes) throw new HubError('payload_too_large');
      yield chunk;
    }
  }

  /** Reads and discards the rest: a client that is still sending would not read the response. */
  close(): void {
    this.#detach();
    if (!this.#isEnded && !this.#body.destroyed) this.#body.resume();
  }

  async #next(): Promise<Buffer | undefined> {
    for (;;) {
      if (this.#interruption) throw this.#interruption;
      const chunk: Buffer | null = this.#body.read();
      if (chunk) return chunk;
      if (this.#isEnded) return undefined;
      await this.#wait();
    }
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(
        () => this.#interrupt(new HubError('request_timeout')),
        this.#options.idleTimeoutMs ?? 45_000,
      );
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = undefined;
        resolve();
      };
    });
  }

  #interrupt(cause: unknown): void {
    this.#interruption ??= new InterruptedError('the upload was interrupted', { cause });
    this.#wake?.();
  }
}
