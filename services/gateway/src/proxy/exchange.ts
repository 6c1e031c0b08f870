import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { answeredHeaders } from './response-headers.js';
import { isStaleConnection, toUpstreamError } from './upstream-error.js';

/** A request and where it goes. */
export interface ExchangeOptions {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly upstream: Dispatcher;
  readonly path: string;
  readonly headers: string[];
  readonly hasBody: boolean;
  /** Longest time until the answer begins. */
  readonly timeoutMs: number;
  /** Gets the `x-hub-bell` of the answer, and its `x-hub-settings` when the settings changed. */
  readonly onBell: (tokens: string, settingsVersion?: string) => void;
}

const clientGone = new Error('the client went away');

/**
 * One request on its way to a service, and the answer on its way back: nothing is held in memory but what one
 * side has sent and the other has not taken yet. Works below Fastify's reply, which makes a stream per answer.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #body: PassThrough | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #isAnswering = false;
  #isGone = false;
  #retriesLeft: number;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { method, raw } = options.request;
    this.#retriesLeft = method === 'GET' || method === 'HEAD' ? 1 : 0;
    // undici destroys the body of a request that fails; the client's own stream must live to be answered.
    this.#body = options.hasBody ? raw.pipe(new PassThrough()) : undefined;
  }

  /** Sends the request on; from here on the client is answered, whatever happens. */
  start(): void {
    this.#options.reply.raw.once('close', () => this.#leave());
    this.#dispatch();
  }

  /** Ends an answer that would go on for as long as the client stays. */
  finish(): void {
    if (!this.#isAnswering) return;
    this.#options.reply.raw.end();
    this.#isGone = true;
    this.#controller?.abort(clientGone);
  }

  #dispatch(): void {
    const { request, upstream, path, headers, timeoutMs } = this.#options;
    const method = request.method as Dispatcher.HttpMethod;
    const body = this.#body ?? null;
    upstream.dispatch({ path, method, headers, body, headersTimeout: timeoutMs, bodyTimeout: 0 }, this);
  }

  #leave(): void {
    if (this.#options.reply.raw.writableFinished) return;
    this.#isGone = true;
    this.#controller?.abort(clientGone);
    this.#body?.destroy();
  }

  /** Takes the rest of a body that the service did not want, so that the client gets to read its answer. */
  #drainBody(): void {
    const { raw } = this.#options.request;
    if (!this.#body || raw.complete) return;
    raw.unpipe(this.#body);
    raw.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isGone) controller.abort(clientGone);
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
    raw.once('drain', () => controller.resume());
  }

  onResponseEnd(): void {
    this.#options.reply.raw.end();
    this.#drainBody();
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const { reply, request } = this.#options;
    if (this.#isGone) return;
    if (this.#isAnswering) {
      request.log.warn({ err: error }, 'answer broke off');
      reply.raw.destroy();
      return;
    }
    if (this.#retriesLeft > 0 && isStaleConnection(error)) {
      this.#retriesLeft -= 1;
      this.#dispatch();
      return;
    }
    reply.send(toUpstreamError(error));
    this.#drainBody();
  }
}
