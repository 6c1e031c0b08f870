import { setTimeout as pause } from 'node:timers/promises';
import { connect, type JetStreamClient, type JetStreamManager, type NatsConnection } from 'nats';
import type { Logger } from 'pino';
import type { BusStatus } from './bus.js';
import { parseNatsUrl } from './nats-address.js';
import { ensureStream } from './nats-stream.js';

/** One connection from its start to its end; what hangs on it begins anew with the next one. */
export interface NatsSession {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly jsm: JetStreamManager;
  readonly ended: AbortSignal;
}

/** Keeps a connection to the broker, dialling again for ever. */
export interface NatsLink {
  current(): NatsSession | undefined;
  /** The present session or the next one; undefined when the signal came first. */
  session(until: AbortSignal): Promise<NatsSession | undefined>;
  status(): BusStatus;
  onStatus(listener: (status: BusStatus) => void): () => void;
  close(): Promise<void>;
}

/** How to reach the broker, and the name seen in its list of connections. */
export interface NatsLinkOptions {
  readonly url: string;
  readonly name: string;
  readonly log: Logger;
  readonly requestTimeoutMs: number;
}

const shortestPauseMs = 100;
const longestPauseMs = 2_000;
const dialTimeoutMs = 5_000;
const pingIntervalMs = 10_000;

/** The library's own reconnecting is off: with one session after the other nothing stale is ever carried over. */
async function dial({ url, name, requestTimeoutMs }: NatsLinkOptions): Promise<NatsSession> {
  const { isEncrypted, ...address } = parseNatsUrl(url);
  const connection = await connect({
    ...address,
    ...(isEncrypted && { tls: {} }),
    name: `birdhub-${name}`,
    reconnect: false,
    // Or each publishing would make an error with its stack, to throw should it fail.
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

/** Begins to connect and answers at once. */
export function createNatsLink(options: NatsLinkOptions): NatsLink {
  const { log } = options;
  const closing = new AbortController();
  const listeners = new Set<(status: BusStatus) => void>();
  const arrivals = new Set<(session: NatsSession) => void>();
  let current: NatsSession | undefined;
  let isMissed = false;

  function change(session: NatsSession | undefined): void {
    const hasChanged = Boolean(session) !== Boolean(current);
    current = session;
    if (session) for (const arrive of arrivals) arrive(session);
    if (hasChanged) for (const listener of listeners) listener(session ? 'ok' : 'error');
  }

  function miss(error: unknown): void {
    if (isMissed || closing.signal.aborted) return;
    isMissed = true;
    log.warn({ err: error }, 'broker not reachable, events wait');
  }

  async function live(session: NatsSession): Promise<void> {
    if (closing.signal.aborted) return session.connection.close();
    if (isMissed) log.info('broker reachable again');
    isMissed = false;
    change(session);
    const error = await session.connection.closed();
    change(undefined);
    miss(error);
  }

  async function run(): Promise<void> {
    let pauseMs = shortestPauseMs;
    while (!closing.signal.aborted) {
      try {
        await live(await dial(options));
        pauseMs = shortestPauseMs;
      } catch (error) {
        miss(error);
      }
      await pause(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  function session(until: AbortSignal): Promise<NatsSession | undefined> {
    if (current || until.aborted) return Promise.resolve(until.aborted ? undefined : current);
    return new Promise((resolve) => {
      const settle = (arrived?: NatsSession) => {
        arrivals.delete(settle);
        until.removeEventListener('abort', leave);
        resolve(arrived);
      };
      const leave = () => settle();
      arrivals.add(settle);
      until.addEventListener('abort', leave, { once: true });
    });
  }

  // Fails at once on an address that no waiting will mend.
  parseNatsUrl(options.url);
  void run();

  return {
    session,
    current: () => current,
    status: () => (current ? 'ok' : 'error'),
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      closing.abort();
      if (!current) return;
      const { connection } = current;
      // Acknowledgements may still stand in the buffer; a broker that hangs or goes must not hold up the shutdown.
      const flushed = connection
        .flush()
        .catch((error) => log.debug({ err: error }, 'broker disconnected while closing'));
      await Promise.race([
        flushed,
        connection.closed(),
        pause(options.requestTimeoutMs, undefined, { ref: false }),
      ]);
      await connection.close();
    },
  };
}
