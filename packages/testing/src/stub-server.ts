import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { errorMessage } from '@birdhub/shared/errors';
import { type HostileReply, sendHostileReply } from './upstreams/hostile-replies.js';

const maxBodyBytes = 1_000_000;

/** A request that the server received. */
export interface ReceivedRequest {
  readonly method: string;
  /** As sent, with the base path and the query. */
  readonly url: string;
  /** Without the base path and the query, decoded once. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A response of the server, other than a stream. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string or bytes; anything else is sent as JSON. */
  readonly body?: unknown;
  /** Sent without a `Content-Length`, like the output of a piped program. */
  readonly isChunked?: boolean;
}

/** Handles a request: returns a reply, or writes the response itself and returns undefined. */
export type Handler = (
  request: ReceivedRequest,
  response: ServerResponse,
) => Reply | undefined | Promise<Reply | undefined>;

/** A stub of a program or service with an HTTP server. */
export interface StubServer {
  /** With the base path and without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** All requests since the start, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Handles the following requests with this handler. */
  respond(handle: Handler): void;
  /** Sends this reply to requests with a matching path, until called without a reply. */
  misbehave(reply?: HostileReply, path?: RegExp): void;
  /** Refuses connections and closes the open ones. */
  goDown(): Promise<void>;
  /** Listens on the same port again. */
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

/** Options of {@link startStubServer}. */
export interface StubServerStart {
  /** Prefix of all paths, such as `/birdnet`. */
  readonly basePath?: string | undefined;
  /** In PEM format; enables HTTPS instead of HTTP. */
  readonly certificate?: { readonly key: string | Buffer; readonly cert: string | Buffer } | undefined;
}

/** Starts a server on a free loopback port. */
export async function startStubServer(handler: Handler, start: StubServerStart = {}): Promise<StubServer> {
  const { basePath = '', certificate } = start;
  const requests: ReceivedRequest[] = [];
  let handle = handler;
  let hostility: { readonly reply: HostileReply; readonly path: RegExp } | undefined;

  const listener: RequestListener = async (incoming, response) => {
    // A client that disconnects is not an error of the server.
    response.on('error', () => undefined);
    const request = await readRequest(incoming, basePath).catch(() => undefined);
    if (request === undefined) return void response.destroy();
    requests.push(request);
    if (hostility?.path.test(request.path)) return sendHostileReply(response, hostility.reply);
    const reply = isBelow(incoming, basePath)
      ? await Promise.resolve(handle(request, response)).catch((error: unknown) => failed(error))
      : { status: 404, body: 'not below the base path' };
    if (reply !== undefined) send(response, reply);
  };

  const open = (port: number) =>
    listen(certificate ? createSecureServer(certificate, listener) : createServer(listener), port);
  let server: Server | undefined = await open(0);
  const { port } = server.address() as AddressInfo;
  const goDown = async () => {
    const closing = server;
    server = undefined;
    if (closing !== undefined) await close(closing);
  };
  return {
    url: `${certificate ? 'https' : 'http'}://127.0.0.1:${port}${basePath}`,
    port,
    requests,
    respond(next) {
      handle = next;
    },
    misbehave(reply, path = /.*/) {
      hostility = reply && { reply, path };
    },
    goDown,
    async comeBack() {
      server ??= await open(port);
    },
    stop: goDown,
  };
}

async function listen(server: Server, port: number): Promise<Server> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const isBelow = ({ url = '/' }: IncomingMessage, basePath: string) =>
  basePath === '' || url.startsWith(`${basePath}/`) || url === basePath;

async function readRequest(incoming: IncomingMessage, basePath: string): Promise<ReceivedRequest> {
  const url = new URL(incoming.url ?? '/', 'http://stub');
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error('the body of the request is too large');
    chunks.push(chunk);
  }
  const path = url.pathname.startsWith(basePath) ? url.pathname.slice(basePath.length) : url.pathname;
  return {
    method: incoming.method ?? 'GET',
    url: incoming.url ?? '/',
    path: decodeURIComponent(path),
    query: url.searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks),
  };
}

/** Returns the JSON object in a body; an empty object for any other body. */
export function readObject({ body }: ReceivedRequest): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function failed(error: unknown): Reply {
  return { status: 500, body: { detail: errorMessage(error) } };
}

function send(response: ServerResponse, { status, headers = {}, body = '', isChunked = false }: Reply): void {
  const isPlain = typeof body === 'string' || body instanceof Uint8Array;
  const bytes = isPlain ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  const type = isPlain ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, {
    'content-type': type,
    ...(isChunked ? {} : { 'content-length': String(bytes.length) }),
    ...headers,
  });
  response.end(bytes);
}
