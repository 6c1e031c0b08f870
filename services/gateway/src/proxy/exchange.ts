import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import type { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { answeredHeaders } from './response-headers.js';
import { isStaleConnection, toUpstreamError } from './upstream-error.js';
import type { PoolEntrant, UpstreamPool } from './upstream-pool.js';

/** How long a service may take. */
export interface ExchangeTimeouts {
  /** Longest time until the answer begins. */
  readonly answerTimeoutMs: number;
  /** Longest time in which an answer that has begun brings nothing. */
  readonly idleTimeoutMs: number;
}

/** A request and where it goes. */
export interface ExchangeOptions extends ExchangeTimeouts {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly pool: UpstreamPool;
  /** For bodies that are passed on while they come. */
  readonly uploads: UpstreamPool;
  readonly path: string;
  readonly headers: string[];
  readonly hasBody: boolean;
  /** Gets the `x-hub-bell` of the answer, and its `x-hub-settings` when the settings changed. */
  readonly onBell: (tokens: string, settingsVersion?: string) => void;
}

/** A body up to this size is here whole before a service is asked; a larger one is passed on while it comes. */
const maxHeldBodyBytes = 65_536;
/** A client that keeps an exchange waiting for so long may lose its place to others. */
const slowClientMs = 100;

/**
 * One request on its way to a service, and the answer on its way back: nothing is held in memory but a small body, and
 * what one side has sent and the other has not taken yet. Works below Fastify's reply, which makes a stream per answer.
 */
export class Exchange implements Dispatcher.DispatchHandler, PoolEntrant {
  readonly #options: ExchangeOptions;
  #pool: UpstreamPool;
  #body: Buffer | PassThrough | null = null;
  #controller: Dispatcher.DispatchController | undefined;
  #isAnswering = false;
  #isGone = false;
  #retriesLeft: number;
  /** Since when the client has not taken what is written. */
  #pausedAt: number | undefined;
  #isDrainHandled = false;
  /** When the last part of a body came that is passed on. */
  #receivedAt = 0;

  constructor(options: ExchangeOptions) {
    const { method } = options.request;
    this.#options = options;
    this.#pool = options.pool;
    this.#retriesLeft = method === 'GET' || method === 'HEAD' ? 1 : 0;
  }

  get clientAddress(): string {
    return this.#options.request.ip;
  }

  /** Sends the request on; from here on the client is answered, whatever happens. */
  start(): void {
    const { reply, request, hasBody } = this.#options;
    reply.raw.once('close', () => this.#leave());
    if (hasBody) this.#receiveBody(request.raw);
    else this.#pool.enter(this);
  }

  /** Ends an answer that would go on for as long as the client stays. */
  finish(): void {
    if (!this.#isAnswering) return;
    this.#options.reply.raw.end();
    this.#isGone = true;
    this.#pool.abandon(this);
  }

  begin(connection: Dispatcher): void {
    if (this.#pool === this.#options.uploads) this.#streamBody(this.#options.request.raw);
    this.#dispatch(connection);
  }

  refuse(error: HubError): void {
    this.#options.reply.send(error);
    this.#drainBody();
  }

  isWaitingForClient(now: number): boolean {
    const since = this.#pausedAt ?? this.#awaitsBodySince();
    return since !== undefined && now - since > slowClientMs;
  }

  cutOff(): void {
    this.#options.request.raw.socket.destroy();
  }

  /** Waits for the whole of a small body, so that no client that sends slowly takes a place. */
  #receiveBody(raw: IncomingMessage): void {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onEnd = () => {
      this.#body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
      this.#pool.enter(this);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes <= maxHeldBodyBytes) return;
      raw.pause().off('data', onData).off('end', onEnd);
      // undici destroys the body of a request that fails; the client's own stream must live to be answered.
      const body = new PassThrough({ highWaterMark: bytes + 1 });
      body.write(Buffer.concat(chunks));
      this.#body = body;
      this.#pool = this.#options.uploads;
      this.#pool.enter(this);
    };
    raw.on('data', onData).once('end', onEnd);
  }

  #streamBody(raw: IncomingMessage): void {
    if (!(this.#body instanceof PassThrough)) return;
    this.#receivedAt = performance.now();
    raw.on('data', () => {
      this.#receivedAt = performance.now();
    });
    raw.pipe(this.#body);
  }

  #awaitsBodySince(): number | undefined {
    const { raw } = this.#options.request;
    const isAwaited = this.#body instanceof PassThrough && !raw.complete && this.#body.readableLength === 0;
    return isAwaited ? this.#receivedAt : undefined;
  }

  #dispatch(connection: Dispatcher): void {
    const { request, path, headers, answerTimeoutMs, idleTimeoutMs } = this.#options;
    const method = request.method as Dispatcher.HttpMethod;
    const timeouts = { headersTimeout: answerTimeoutMs, bodyTimeout: idleTimeoutMs };
    connection.dispatch({ path, method, headers, body: this.#body, ...timeouts }, this);
  }

  #leave(): void {
    this.#isGone = true;
    this.#pool.abandon(this);
    if (this.#body instanceof PassThrough) this.#body.destroy();
  }

  /** Takes the rest of a body that the service did not want, so that the client gets to read its answer. */
  #drainBody(): void {
    const { raw } = this.#options.request;
    if (!(this.#body instanceof PassThrough) || raw.complete) return;
    raw.unpipe(this.#body);
    raw.resume();
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
    const { reply, onBell } = this.#options;
    const { 'x-hub-bell': bell, 'x-hub-settings': settingsVersion } = headers;
    if (bell !== undefined) onBell(String(bell), settingsVersion?.toString());
    this.#isAnswering = true;
    reply.hijack();
    reply.raw.writeHead(status, answeredHeaders(headers, reply.getHeaders()));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { raw } = this.#options.reply;
    if (raw.write(chunk)) return;
    controller.pause();
    this.#pausedAt = performance.now();
    if (this.#isDrainHandled) return;
    this.#isDrainHandled = true;
    raw.on('drain', () => this.#onDrain());
  }

  #onDrain(): void {
    if (this.#pausedAt === undefined) return;
    this.#pausedAt = undefined;
    // A drain may come while undici reads from another connection, which it does not bear.
    queueMicrotask(() => {
      if (!this.#isGone && this.#pausedAt === undefined) this.#controller?.resume();
    });
  }

  onResponseEnd(): void {
    this.#pool.release(this);
    this.#options.reply.raw.end();
    this.#drainBody();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { reply, request } = this.#options;
    if (this.#isGone) return;
    const mayRetry = !this.#isAnswering && this.#retriesLeft > 0 && isStaleConnection(error);
    const connection = mayRetry ? this.#pool.reconnect(this) : undefined;
    if (connection) {
      this.#retriesLeft -= 1;
      this.#dispatch(connection);
      return;
    }
    this.#pool.abandon(this);
    if (this.#isAnswering) {
      request.log.warn({ err: error }, 'answer broke off');
      reply.raw.destroy();
      return;
    }
    reply.send(toUpstreamError(error));
    this.#drainBody();
  }
}
