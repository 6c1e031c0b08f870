import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HubError, toErrorBody } from '../errors/index.js';
import { hourMs } from '../time/index.js';
import { requestIdOf } from './request.js';

/** Limits for the clients of a server. */
export interface ClientLimits {
  /** A client that reads nothing of a pending response for this long is disconnected. */
  readonly readStallTimeoutMs: number;
  /** In each window of this length a body must send 16 KiB or end; otherwise the response is 408. */
  readonly bodyWindowMs: number;
  /** Maximum concurrent connections for one {@link connectionKey}. */
  readonly maxConnectionsPerKey?: number;
  /** Returns the key by which the connections of a peer are counted; undefined for unlimited peers. */
  readonly connectionKey?: (address: string) => string | undefined;
}

/** Maximum queued pipelined requests of a connection, and of a server. */
const maxWaitingPerConnection = 512;
const maxWaiting = 8_192;
const minBodyBytesPerWindow = 16_384;
const maxSweepIntervalMs = 1_000;
const busyRetryAfterSeconds = 2;
/** Browsers open connections in advance; a request may be in flight on one that was just opened. */
const unusedTimeoutMs = 1_000;
/** Time for a client to read the response before the connection is closed. */
const lingerMs = 1_000;
/** Ends requests whose body keeps the minimum rate but never ends. */
const requestTimeoutMs = hourMs;

/** Returns the server options that limit timeouts and the size of headers. */
export function connectionLimits(headersTimeoutMs = 15_000) {
  return {
    http: {
      headersTimeout: headersTimeoutMs,
      // Interval in which Node checks for late requests.
      connectionsCheckingInterval: headersTimeoutMs / 3,
      maxHeaderSize: 16_384,
    },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 75_000,
  };
}

/** An error of Node's HTTP parser. */
type ClientError = Error & { readonly code?: string };

type Handle = (error?: Error) => void;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: Handle;
}

/** A connection: the current request, queued ones, and the pace of the client. */
interface Connection {
  request: IncomingMessage;
  response: ServerResponse;
  readonly waiting: Waiting[];
  /** Bytes that the client has read, and the time of its last progress. */
  readBytes: number;
  readAt: number;
  /** The request whose body is timed, and the start of its window. */
  timedRequest: IncomingMessage | undefined;
  windowAt: number;
  windowBytes: number;
}

const isBusy = ({ response, waiting }: Connection) => waiting.length > 0 || !response.closed;
const canBeRefused = ({ response, waiting }: Connection) => waiting.length === 0 && !response.headersSent;

/**
 * Limits the connections of a server. Pipelined requests are handled sequentially, as Node emits all of them immediately
 * and reports a disconnect only to the first. Clients that read or send too slowly are disconnected, and the number of
 * connections per address is limited.
 */
export class ClientConnections {
  readonly #limits: ClientLimits;
  readonly #connections = new Map<Socket, Connection>();
  readonly #countByKey = new Map<string, number>();
  /** Connections without a request so far, and when they were opened. */
  readonly #unused = new Map<Socket, number>();
  #waitingCount = 0;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: ClientLimits) {
    this.#limits = limits;
  }

  /** Registers a new connection; Node only tracks idle ones after their first request. */
  onConnection(socket: Socket): void {
    this.#unused.set(socket, performance.now());
    socket.once('close', () => this.#unused.delete(socket));
  }

  /** Closes connections without a request, for which a closing server would wait. */
  closeUnused(): void {
    const latest = performance.now() - unusedTimeoutMs;
    for (const [socket, openedAt] of this.#unused) if (openedAt < latest) socket.destroy();
  }

  /**
   * Calls `handle` after the responses to all earlier requests of the connection: with a HubError `busy` when the client's
   * address has too many connections, and never when the client disconnects first.
   */
  enqueue(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
    const connection = this.#connections.get(request.socket);
    if (!connection) {
      this.#handleFirst(request, response, handle);
      return;
    }
    const { response: last, waiting } = connection;
    if (last.closed && waiting.length === 0) {
      connection.request = request;
      connection.response = response;
      handle();
      return;
    }
    if (waiting.length >= maxWaitingPerConnection || this.#waitingCount >= maxWaiting) {
      request.socket.destroy();
      return;
    }
    waiting.push({ request, response, handle });
    this.#waitingCount += 1;
    if (waiting.length === 1) last.once('close', () => this.#handleNext(connection));
  }

  /** Responds to invalid or late requests, unless the client would take it for the response to an earlier one. */
  onClientError(error: ClientError, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection || !isBusy(connection)) respondToClientError(error, socket);
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#refuseBody(socket, connection);
    // Bytes after a request with `Connection: close` are ignored; Node closes after the response.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') socket.destroy();
  }

  #handleFirst(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
    const { socket } = request;
    this.#unused.delete(socket);
    // The request was injected, or its client has disconnected.
    if (typeof socket?.bytesRead !== 'number' || socket.destroyed) {
      handle();
      return;
    }
    const { maxConnectionsPerKey = Number.POSITIVE_INFINITY, connectionKey } = this.#limits;
    const key = socket.remoteAddress === undefined ? undefined : connectionKey?.(socket.remoteAddress);
    if (key !== undefined) {
      const count = (this.#countByKey.get(key) ?? 0) + 1;
      if (count > maxConnectionsPerKey) {
        response.shouldKeepAlive = false;
        handle(new HubError('busy', { retryAfterSeconds: busyRetryAfterSeconds }));
        return;
      }
      this.#countByKey.set(key, count);
    }
    const now = performance.now();
    this.#connections.set(socket, {
      ...{ request, response, waiting: [] },
      ...{ readBytes: 0, readAt: now, timedRequest: undefined, windowAt: now, windowBytes: 0 },
    });
    socket.once('close', () => this.#forget(socket, key));
    this.#sweeping ??= this.#startSweeping();
    handle();
  }

  #handleNext(connection: Connection): void {
    const next = connection.waiting.shift();
    if (!next) return;
    this.#waitingCount -= 1;
    const { request, response, handle } = next;
    // Node has assigned the socket by now, unless the previous response ended the connection.
    if (!response.socket || response.socket.destroyed) {
      this.#waitingCount -= connection.waiting.splice(0).length;
      return;
    }
    if (connection.waiting.length) response.once('close', () => this.#handleNext(connection));
    connection.request = request;
    connection.response = response;
    handle();
  }

  #forget(socket: Socket, key: string | undefined): void {
    this.#waitingCount -= this.#connections.get(socket)?.waiting.splice(0).length ?? 0;
    this.#connections.delete(socket);
    if (this.#connections.size === 0) {
      clearInterval(this.#sweeping);
      this.#sweeping = undefined;
    }
    if (key === undefined) return;
    const left = (this.#countByKey.get(key) ?? 1) - 1;
    if (left > 0) this.#countByKey.set(key, left);
    else this.#countByKey.delete(key);
  }

  #startSweeping(): NodeJS.Timeout {
    const { readStallTimeoutMs, bodyWindowMs } = this.#limits;
    const everyMs = Math.min(maxSweepIntervalMs, readStallTimeoutMs / 4, bodyWindowMs / 4);
    return setInterval(() => this.#sweep(performance.now()), everyMs).unref();
  }

  #sweep(now: number): void {
    for (const [socket, connection] of this.#connections) {
      if (this.#isReadingTooSlowly(socket, connection, now)) socket.destroy();
      else if (this.#isSendingTooSlowly(socket, connection, now)) this.#refuseBody(socket, connection);
    }
  }

  #isReadingTooSlowly(socket: Socket, connection: Connection, now: number): boolean {
    const readBytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && readBytes === connection.readBytes) {
      return now - connection.readAt > this.#limits.readStallTimeoutMs;
    }
    connection.readBytes = readBytes;
    connection.readAt = now;
    return false;
  }

  #isSendingTooSlowly({ bytesRead }: Socket, connection: Connection, now: number): boolean {
    const { request, timedRequest, windowAt, windowBytes } = connection;
    // Unread bytes mean that the hub is slow, not the client.
    if (request.complete || request.readableLength > 0) {
      connection.timedRequest = undefined;
      return false;
    }
    const isTimed = timedRequest === request;
    if (isTimed && now - windowAt <= this.#limits.bodyWindowMs) return false;
    connection.timedRequest = request;
    connection.windowAt = now;
    connection.windowBytes = bytesRead;
    // After the response the rest of the body does not matter.
    return isTimed && (connection.response.writableEnded || bytesRead - windowBytes < minBodyBytesPerWindow);
  }

  #refuseBody(socket: Socket, connection: Connection): void {
    if (!canBeRefused(connection)) socket.destroy();
    else respondToClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  }
}

/** Writes a raw response and closes the connection. */
function respondToClientError(cause: ClientError, socket: Socket): void {
  if (cause.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, error } = refusalOf(cause);
  const requestId = requestIdOf({});
  const body = JSON.stringify(toErrorBody(error, requestId));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const lingering = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(lingering));
}

const invalid = (status: number) =>
  ({ status, error: new HubError('invalid_request', { message: STATUS_CODES[status] ?? '' }) }) as const;

function refusalOf({ code }: ClientError): { readonly status: number; readonly error: HubError } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, error: new HubError('request_timeout') };
  return invalid(code === 'HPE_HEADER_OVERFLOW' ? 431 : 400);
}
