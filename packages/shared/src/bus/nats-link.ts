import { setTimeout as pause } from 'node:timers/promises';
import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection } from 'nats';
import type { Logger } from 'pino';
import { pauseUnlessAborted } from '../async/index.js';
import type { BusStatus } from './bus.js';
import { ensureStream } from './nats-stream.js';

/** One connection to the broker; consumers and subscriptions are reopened on the next one. */
export interface NatsSession {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  /** Aborted when the connection is closed. */
  readonly ended: AbortSignal;
}

/** Address and timeout of the broker, and the name shown in its list of connections. */
export interface NatsLinkOptions {
  readonly url: string;
  readonly name: string;
  readonly log: Logger;
  readonly requestTimeoutMs: number;
}

const minPauseMs = 100;
const maxPauseMs = 2_000;
const dialTimeoutMs = 5_000;
const pingIntervalMs = 10_000;

/** Keeps one connection to the broker and reconnects until closed. */
export class NatsLink {
  readonly #options: NatsLinkOptions;
  readonly #closing = new AbortController();
  readonly #statusListeners = new Set<(status: BusStatus) => void>();
  readonly #sessionWaiters = new Set<(session: NatsSession) => void>();
  #current: NatsSession | undefined;
  #isOutageLogged = false;

  /**
   * Starts connecting and returns immediately.
   * @throws TypeError when the URL is not valid
   */
  constructor(options: NatsLinkOptions) {
    this.#options = options;
    parseNatsUrl(options.url);
    void this.#run();
  }

  get current(): NatsSession | undefined {
    return this.#current;
  }

  get status(): BusStatus {
    return this.#current ? 'ok' : 'error';
  }

  /** Resolves to the current session or the next one; undefined when the signal fires first. */
  session(until: AbortSignal): Promise<NatsSession | undefined> {
    if (until.aborted) return Promise.resolve(undefined);
    if (this.#current) return Promise.resolve(this.#current);
    return new Promise((resolve) => {
      const settle = (session?: NatsSession) => {
        this.#sessionWaiters.delete(settle);
        until.removeEventListener('abort', abort);
        resolve(session);
      };
      const abort = () => settle();
      this.#sessionWaiters.add(settle);
      until.addEventListener('abort', abort, { once: true });
    });
  }

  /** Calls back on every change of the status; returns a function that removes the listener. */
  onStatus(listener: (status: BusStatus) => void): () => void {
    this.#statusListeners.add(listener);
    return () => void this.#statusListeners.delete(listener);
  }

  async close(): Promise<void> {
    const { log, requestTimeoutMs } = this.#options;
    this.#closing.abort();
    if (!this.#current) return;
    const { connection } = this.#current;
    // Acknowledgements may still be buffered; a hanging broker must not delay the shutdown.
    const flushed = connection
      .flush()
      .catch((error) => log.debug({ err: error }, 'broker disconnected while closing'));
    await Promise.race([flushed, connection.closed(), pause(requestTimeoutMs, undefined, { ref: false })]);
    await connection.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let pauseMs = minPauseMs;
    while (!signal.aborted) {
      try {
        await this.#holdSession(await dial(this.#options));
        pauseMs = minPauseMs;
      } catch (error) {
        this.#logOutage(error);
      }
      await pauseUnlessAborted(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
    }
  }

  async #holdSession(session: NatsSession): Promise<void> {
    if (this.#closing.signal.aborted) return session.connection.close();
    if (this.#isOutageLogged) this.#options.log.info('broker reachable again');
    this.#isOutageLogged = false;
    this.#setCurrent(session);
    const error = await session.connection.closed();
    this.#setCurrent(undefined);
    this.#logOutage(error);
  }

  #setCurrent(session: NatsSession | undefined): void {
    const before = this.status;
    this.#current = session;
    if (session) for (const resolve of this.#sessionWaiters) resolve(session);
    if (this.status !== before) for (const listener of this.#statusListeners) listener(this.status);
  }

  #logOutage(error: unknown): void {
    if (this.#isOutageLogged || this.#closing.signal.aborted) return;
    this.#isOutageLogged = true;
    this.#options.log.warn({ err: error }, 'broker not reachable, events are queued');
  }
}

/** The library's reconnecting is disabled, so that no consumer of an earlier connection remains. */
async function dial({ url, name, requestTimeoutMs }: NatsLinkOptions): Promise<NatsSession> {
  const { isEncrypted, ...address } = parseNatsUrl(url);
  const connection = await connect({
    ...address,
    ...(isEncrypted && { tls: {} }),
    name: `birdhub-${name}`,
    reconnect: false,
    // Otherwise the library captures a stack trace for every publish.
    noAsyncTraces: true,
    timeout: dialTimeoutMs,
    pingInterval: pingIntervalMs,
  });
  const end = new AbortController();
  void connection.closed().then(() => end.abort());
  try {
    const options = { timeout: requestTimeoutMs };
    const jsm = await connection.jetstreamManager({ ...options, checkAPI: false });
    await ensureStream(jsm);
    return { connection, jsm, js: connection.jetstream(options), ended: end.signal };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** A parsed `NATS_URL`. */
interface NatsAddress {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  readonly isEncrypted: boolean;
}

/**
 * Parses a comma-separated list of servers. The first credentials, `user:password@` or `token@`, are used for all.
 * @throws TypeError for an invalid address; the message does not contain it, as it may include a password
 */
export function parseNatsUrl(natsUrl: string): NatsAddress {
  const urls = natsUrl
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map(parseServer);
  if (!urls.length) throw new TypeError('NATS_URL names no server');
  return {
    servers: urls.map((url) => `${url.hostname}:${url.port || 4222}`),
    isEncrypted: urls.some((url) => url.protocol === 'tls:'),
    ...credentialsOf(urls.find((url) => url.username)),
  };
}

function parseServer(text: string): URL {
  const address = text.includes('://') ? text : `nats://${text}`;
  if (!URL.canParse(address)) throw new TypeError('NATS_URL must be like nats://user:password@host:4222');
  return new URL(address);
}

function credentialsOf(url: URL | undefined): Pick<NatsAddress, 'user' | 'pass' | 'token'> {
  if (!url) return {};
  const user = decodeURIComponent(url.username);
  if (!url.password) return { token: user };
  return { user, pass: decodeURIComponent(url.password) };
}
