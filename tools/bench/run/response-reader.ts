/** The status of a complete response, and its size with its headers. */
export interface ResponseEnd {
  readonly status: number;
  readonly bytes: number;
}

type State =
  | { readonly kind: 'head' }
  | { readonly kind: 'length'; left: number }
  | { readonly kind: 'chunk-size' }
  | { readonly kind: 'chunk'; left: number }
  | { readonly kind: 'trailer' };

const lineEnd = Buffer.from('\r\n');
const headEnd = Buffer.from('\r\n\r\n');
const none: Buffer = Buffer.alloc(0);

/**
 * Finds only the end of HTTP/1.1 responses in the data of a connection, as a complete client would take CPU time of the
 * measured machine. Only one request may be in flight.
 */
export class ResponseReader {
  #kept: Buffer = none;
  #state: State = { kind: 'head' };
  #status = 0;
  #bytes = 0;

  /** Adds received data; returns the response when it is complete. @throws when it is not HTTP/1.1 */
  push(arrived: Buffer): ResponseEnd | undefined {
    this.#bytes += arrived.length;
    let rest = this.#kept.length === 0 ? arrived : Buffer.concat([this.#kept, arrived]);
    this.#kept = none;
    for (;;) {
      const step = this.#step(rest);
      if (step === 'done') return this.#finish();
      if (step === undefined) {
        this.#kept = rest;
        return undefined;
      }
      rest = step;
    }
  }

  /** Returns the unread rest; `undefined` when more data is needed. */
  #step(rest: Buffer): Buffer | 'done' | undefined {
    const state = this.#state;
    if (state.kind === 'head') return this.#readHead(rest);
    if (state.kind === 'chunk-size') return this.#readChunkSize(rest);
    if (state.kind === 'trailer') return rest.length < lineEnd.length ? undefined : 'done';
    const taken = Math.min(state.left, rest.length);
    if (state.left > taken) {
      state.left -= taken;
      return taken === 0 ? undefined : rest.subarray(taken);
    }
    if (state.kind === 'length') return 'done';
    this.#state = { kind: 'chunk-size' };
    return rest.subarray(taken);
  }

  #readHead(rest: Buffer): Buffer | 'done' | undefined {
    const end = rest.indexOf(headEnd);
    if (end === -1) return undefined;
    const head = rest.toString('latin1', 0, end).toLowerCase();
    this.#status = Number(/^http\/1\.1 (\d{3})/.exec(head)?.[1]);
    if (!this.#status) throw new Error(`not an HTTP/1.1 response: ${head.slice(0, 80)}`);
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    if (this.#status === 304 || this.#status === 204) return 'done';
    if (length !== undefined) this.#state = { kind: 'length', left: Number(length) };
    else if (/\r\ntransfer-encoding: *chunked/.test(head)) this.#state = { kind: 'chunk-size' };
    else throw new Error('a response without a length');
    return length === '0' ? 'done' : rest.subarray(end + headEnd.length);
  }

  #readChunkSize(rest: Buffer): Buffer | undefined {
    const end = rest.indexOf(lineEnd);
    if (end === -1) return undefined;
    const size = Number.parseInt(rest.toString('latin1', 0, end), 16);
    this.#state = size === 0 ? { kind: 'trailer' } : { kind: 'chunk', left: size + lineEnd.length };
    return rest.subarray(end + lineEnd.length);
  }

  #finish(): ResponseEnd {
    const response = { status: this.#status, bytes: this.#bytes };
    this.#state = { kind: 'head' };
    this.#bytes = 0;
    return response;
  }
}
