import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HubError } from '../errors/index.js';
import { answerClientError, type ClientError } from './client-error.js';

/** What a server lets its clients take: time, and places. */
export interface ClientLimits {
  /** Longest time that a client may take nothing of an answer that waits for it; then its connection is closed. */
  readonly readStallTimeoutMs: number;
  /** In each such time a body must bring 16 KiB or come to its end; else the request is answered 408. */
  readonly bodyWindowMs: number;
  /** Largest number of connections at once for one key of {@link connectionKey}. */
  readonly maxConnectionsPerKey?: number;
  /** What the connections of a peer address are counted by; undefined for peers that are not counted. */
  readonly connectionKey?: (address: string) => string | undefined;
}

/** Requests that wait behind others of their connection, and all of them in one server. */
const maxWaitingPerConnection = 512;
const maxWaiting = 8_192;
const minBodyBytesPerWindow = 16_384;
const maxSweepIntervalMs = 1_000;
const busyRetryAfterSeconds = 2;
/** Browsers open connections ahead; a request may be on its way on one that was opened just now. */
const unusedTimeoutMs = 1_000;

type Handle = (error?: Error) => void;

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly handle: Handle;
}

/** One connection: the request that is being answered, those behind it, and how fast its client goes. */
interface Connection {
  request: IncomingMessage;
  response: ServerResponse;
  readonly waiting: Waiting[];
  /** Bytes that the client has taken, and since when it has taken no more. */
  takenBytes: number;
  takenAt: number;
  /** The request whose body is timed, and where its window begins. */
  timedRequest: IncomingMessage | undefined;
  windowAt: number;
  windowBytes: number;
}

const isAnswering = ({ response, waiting }: Connection) => waiting.length > 0 || !response.closed;
const canBeRefused = ({ response, waiting }: Connection) => waiting.length === 0 && !response.headersSent;

/**
 * The connections of a server that have sent a request. Requests that come pipelined are handled one after the other:
 * Node hands all of them on at once, and those behind the first never learn that their client has gone. Clients that
 * read or send too slowly are cut off, and the connections of one address are counted.
 */
export class ClientConnections {
  readonly #limits: ClientLimits;
  readonly #connections = new Map<Socket, Connection>();
  readonly #countByKey = new Map<string, number>();
  /** Connections that no request came on, and since when they are open. */
  readonly #unused = new Map<Socket, number>();
  #waitingCount = 0;
  #sweeping: NodeJS.Timeout | undefined;

  constructor(limits: ClientLimits) {
    this.#limits = limits;
  }

  /** Takes note of a new connection, of which Node tells nothing before its first request. */
  onConnection(socket: Socket): void {
    this.#unused.set(socket, performance.now());
    socket.once('close', () => this.#unused.delete(socket));
  }

  /** Closes connections that no request came on: a server that closes would wait for one. */
  closeUnused(): void {
    const latest = performance.now() - unusedTimeoutMs;
    for (const [socket, openedAt] of this.#unused) if (openedAt < latest) socket.destroy();
  }

  /**
   * Calls `handle` when all requests before this one of its connection are answered, with a HubError `busy` when the
   * client's address has too many connections, and never when the client goes before that.
   */
  inTurn(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
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

  /** Answers what is no HTTP request, or none in time, unless that would be read as the answer to an earlier one. */
  onClientError(error: ClientError, socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection || !isAnswering(connection)) answerClientError(error, socket);
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') this.#refuseBody(socket, connection);
    // Node closes the connection behind the answer to a request that asked for it; bytes after that mean nothing.
    else if (error.code !== 'HPE_CLOSED_CONNECTION') socket.destroy();
  }

  #handleFirst(request: IncomingMessage, response: ServerResponse, handle: Handle): void {
    const { socket } = request;
    this.#unused.delete(socket);
    // A request of a test that has no connection, or one whose client has gone.
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
      ...{ takenBytes: 0, takenAt: now, timedRequest: undefined, windowAt: now, windowBytes: 0 },
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
    // Node has given it the connection by now, unless the connection ends with the answer before.
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
    const takenBytes = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && takenBytes === connection.takenBytes) {
      return now - connection.takenAt > this.#limits.readStallTimeoutMs;
    }
    connection.takenBytes = takenBytes;
    connection.takenAt = now;
    return false;
  }

  #isSendingTooSlowly({ bytesRead }: Socket, connection: Connection, now: number): boolean {
    const { request, timedRequest, windowAt, windowBytes } = connection;
    // What lies here unread waits for the hub, not for the client.
    if (request.complete || request.readableLength > 0) {
      connection.timedRequest = undefined;
      return false;
    }
    const isTimed = timedRequest === request;
    if (isTimed && now - windowAt <= this.#limits.bodyWindowMs) return false;
    connection.timedRequest = request;
    connection.windowAt = now;
    connection.windowBytes = bytesRead;
    // After the answer nobody wants the rest.
    return isTimed && (connection.response.writableEnded || bytesRead - windowBytes < minBodyBytesPerWindow);
  }

  #refuseBody(socket: Socket, connection: Connection): void {
    if (!canBeRefused(connection)) socket.destroy();
    else answerClientError(Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  }
}
