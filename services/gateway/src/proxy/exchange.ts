import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { errorCode, HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { responseHeaders } from './headers.js';
import type { PooledRequest, UpstreamPool } from './upstream-pool.js';

/** Timeouts of a service. */
export interface ExchangeTimeouts {
  /** Maximum time until the response starts. */
  readonly responseTimeoutMs: number;
  /** Maximum time without data after the response has started. */
  readonly idleTimeoutMs: number;
}

/** The target of an operation. */
export interface Upstream extends ExchangeTimeouts {
  readonly pool: UpstreamPool;
  /** Pool for streamed bodies. */
  readonly uploads: UpstreamPool;
  /** Whether bodies are files, which are streamed regardless of their size. */
  readonly isUpload: boolean;
  /** Called with the `x-hub-consistency-token` of a response, and its `x-hub-settings` when the settings changed. */
  readonly onChange: (tokens: string, settingsVersion?: string) => void;
}

/** A request to a service. */
export interface ForwardedRequest {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: string[];
  readonly hasBody: boolean;
}

/** Bodies up to this size are buffered before the request is sent; larger ones are streamed. */
const maxBufferedBodyBytes = 65_536;
const minHighWaterMark = 16_384;
/** A client that stalls an exchange for this long may lose its connection to other clients. */
const slowClientMs = 100;
const retryAfterSeconds = 2;

/**
 * Forwards one request to a service and streams the response back. Only small bodies and chunks in flight are held in
 * memory. Bypasses Fastify's reply, which would create a stream per response.
 */
export class Exchange implements Dispatcher.DispatchHandler, PooledRequest {
  readonly #upstream: Upstream;
  readonly #forwarded: ForwardedRequest;
  #pool: UpstreamPool;
  #body: Buffer | PassThrough | null = null;
  #controller: Dispatcher.DispatchController | undefined;
  #isResponding = false;
  #isClosed = false;
  #retriesLeft: number;
  /** When the client stopped reading the response. */
  #pausedAt: number | undefined;
  #isDrainHandled = false;
  /** Time of the last chunk of a streamed body. */
  #receivedAt = 0;

  constructor(upstream: Upstream, forwarded: ForwardedRequest) {
    const { method } = forwarded.request;
    this.#upstream = upstream;
    this.#forwarded = forwarded;
    this.#pool = upstream.pool;
    this.#retriesLeft = method === 'GET' || method === 'HEAD' ? 1 : 0;
  }

  get clientAddress(): string {
    return this.#forwarded.request.ip;
  }

  /** Sends the request. From then on the client gets a response in all cases. */
  start(): void {
    const { reply, request, hasBody } = this.#forwarded;
    reply.raw.once('close', () => this.#onClientClosed());
    if (hasBody && this.#upstream.isUpload) this.#forwardBody([]);
    else if (hasBody) this.#receiveBody(request.raw);
    else this.#pool.acquire(this);
  }

  /** Ends an endless response. */
  finish(): void {
    if (!this.#isResponding) return;
    this.#forwarded.reply.raw.end();
    this.#isClosed = true;
    this.#pool.abandon(this);
  }

  onConnection(connection: Dispatcher): void {
    if (this.#pool === this.#upstream.uploads) this.#streamBody(this.#forwarded.request.raw);
    this.#dispatch(connection);
  }

  onRejected(error: HubError): void {
    this.#forwarded.reply.send(error);
    this.#drainBody();
  }

  isWaitingForClient(now: number): boolean {
    const since = this.#pausedAt ?? this.#waitingForBodySince();
    return since !== undefined && now - since > slowClientMs;
  }

  abort(): void {
    this.#forwarded.request.raw.socket.destroy();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    const { reply } = this.#forwarded;
    const { 'x-hub-consistency-token': tokens, 'x-hub-settings': settingsVersion } = headers;
    if (tokens !== undefined) this.#upstream.onChange(String(tokens), settingsVersion?.toString());
    this.#isResponding = true;
    reply.hijack();
    reply.raw.writeHead(status, responseHeaders(headers, reply.getHeaders()));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { raw } = this.#forwarded.reply;
    if (raw.write(chunk)) return;
    controller.pause();
    this.#pausedAt = performance.now();
    if (this.#isDrainHandled) return;
    this.#isDrainHandled = true;
    raw.on('drain', () => this.#onDrain());
  }

  onResponseEnd(): void {
    this.#pool.release(this);
    this.#forwarded.reply.raw.end();
    this.#drainBody();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { reply, request } = this.#forwarded;
    if (this.#isClosed) return;
    const mayRetry = !this.#isResponding && this.#retriesLeft > 0 && isStaleConnection(error);
    const connection = mayRetry ? this.#pool.reconnect(this) : undefined;
    if (connection) {
      this.#retriesLeft -= 1;
      this.#dispatch(connection);
      return;
    }
    this.#pool.abandon(this);
    if (this.#isResponding) {
      request.log.warn({ err: error }, 'response aborted by the service');
      reply.raw.destroy();
      return;
    }
    reply.send(toUpstreamError(error));
    this.#drainBody();
  }

  #dispatch(connection: Dispatcher): void {
    const { responseTimeoutMs, idleTimeoutMs } = this.#upstream;
    const { request, path, headers } = this.#forwarded;
    const method = request.method as Dispatcher.HttpMethod;
    const timeouts = { headersTimeout: responseTimeoutMs, bodyTimeout: idleTimeoutMs };
    connection.dispatch({ path, method, headers, body: this.#body, ...timeouts }, this);
  }

  /** Buffers a small body, so that slow clients do not occupy a connection. */
  #receiveBody(raw: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onEnd = () => {
      this.#body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      this.#pool.acquire(this);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxBufferedBodyBytes) return;
      raw.pause().off('data', onData).off('end', onEnd);
      this.#forwardBody(chunks);
    };
    raw.on('data', onData).once('end', onEnd);
  }

  /** Streams a body, starting with the chunks received so far. */
  #forwardBody(chunks: readonly Buffer[]): void {
    const start = Buffer.concat(chunks);
    // undici destroys the body of a failed request; the client's socket is still needed for the response.
    const body = new PassThrough({ highWaterMark: Math.max(start.length + 1, minHighWaterMark) });
    if (start.length) body.write(start);
    this.#body = body;
    this.#pool = this.#upstream.uploads;
    this.#pool.acquire(this);
  }

  #streamBody(raw: IncomingMessage): void {
    if (!(this.#body instanceof PassThrough)) return;
    this.#receivedAt = performance.now();
    raw.on('data', () => {
      this.#receivedAt = performance.now();
    });
    raw.pipe(this.#body);
  }

  #waitingForBodySince(): number | undefined {
    const { raw } = this.#forwarded.request;
    const isAwaited = this.#body instanceof PassThrough && !raw.complete && this.#body.readableLength === 0;
    return isAwaited ? this.#receivedAt : undefined;
  }

  #onDrain(): void {
    if (this.#pausedAt === undefined) return;
    this.#pausedAt = undefined;
    // A drain event may fire while undici reads from another connection; it must not be resumed then.
    queueMicrotask(() => {
      if (!this.#isClosed && this.#pausedAt === undefined) this.#controller?.resume();
    });
  }

  #onClientClosed(): void {
    this.#isClosed = true;
    this.#pool.abandon(this);
    if (this.#body instanceof PassThrough) this.#body.destroy();
  }

  /** Reads the rest of a body that the service did not read, so that the client can read the response. */
  #drainBody(): void {
    const { raw } = this.#forwarded.request;
    if (!(this.#body instanceof PassThrough) || raw.complete) return;
    raw.unpipe(this.#body);
    raw.resume();
  }
}

const staleCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** Whether a request may have failed because the service had closed its idle connection. */
function isStaleConnection(error: Error): boolean {
  return staleCodes.has(errorCode(error) ?? '');
}

/** Returns the error for a service that did not respond. */
function toUpstreamError(error: Error): HubError {
  const code = errorCode(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new HubError('upstream_timeout', { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') return new HubError('invalid_request', { cause: error });
  return new HubError('upstream_unavailable', { cause: error, retryAfterSeconds });
}
