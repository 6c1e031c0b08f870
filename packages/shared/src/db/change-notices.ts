import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';

/** The PostgreSQL channel of change notices. */
export const changeChannel = 'hub_changes';

type GlobalKind = 'species' | 'settings' | 'weather' | 'foods' | 'tokens' | 'everything';

/** A committed change: of recordings and visits in a closed time span (ms since the epoch), or of all data of a kind. */
export type Change =
  | { readonly kind: 'recordings'; readonly from: number; readonly to: number }
  | { readonly kind: GlobalKind };

/** A notice: the sending process, its sequence number, and the changes. */
export interface ChangeNotice {
  readonly origin: string;
  readonly sequence: number;
  readonly changes: readonly Change[];
}

const maxChanges = 32;
const retryMs = 500;
/** Minimum time between two notices; a notice contains all changes that were committed in between. */
const spacingMs = 20;

/** Removes duplicate kinds, and merges the spans if there are too many for one notification. */
export function compactChanges(changes: readonly Change[]): Change[] {
  const kinds = new Set<GlobalKind>();
  const spans: { from: number; to: number }[] = [];
  for (const change of changes) {
    if (change.kind !== 'recordings') kinds.add(change.kind);
    else spans.push({ from: change.from, to: change.to });
  }
  const global = [...kinds].map((kind) => ({ kind }));
  if (spans.length <= maxChanges)
    return [...global, ...spans.map((span) => ({ kind: 'recordings' as const, ...span }))];
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  return [...global, { kind: 'recordings', from, to }];
}

/**
 * Notifies all processes of the hub of committed changes. Must be called after the commit, not inside the transaction:
 * NOTIFY serialises commits. Changes that arrive while a notice is being sent are part of the next one.
 */
export interface ChangeNotifier {
  notify(change: Change): void;
  /** Calls only the listeners of this process, after a commit that does not affect cached responses. */
  wake(): void;
  /** Adds a listener that is called immediately, before other processes are notified. */
  onNotice(listener: () => void): void;
  /**
   * Returns the number of changes so far and the consistency token (`origin:sequence`) of the last one. A reader that
   * has received the notice with that number has received all of them.
   */
  last(): { readonly count: number; readonly token: string };
  /** Resolves when the notices of all changes so far have been sent. */
  settled(): Promise<void>;
  /** Sends pending changes, without retries. */
  close(): Promise<void>;
}

/** Creates the change notifier of a process. */
export function createChangeNotifier(pool: pg.Pool, log: Logger): ChangeNotifier {
  const origin = randomUUID().slice(0, 8);
  const listeners: (() => void)[] = [];
  let pending: Change[] = [];
  let count = 0;
  let lastSequence = 0;
  let sequence = 0;
  let isClosing = false;
  let sending: Promise<void> | undefined;

  async function send(notice: ChangeNotice): Promise<void> {
    try {
      await pool.query('SELECT pg_notify($1, $2)', [changeChannel, JSON.stringify(notice)]);
    } catch (error) {
      if (isClosing) return;
      log.debug({ err: error }, 'change notice not sent, retrying');
      await pause(retryMs, undefined, { ref: false });
      if (!isClosing) await send(notice);
    }
  }

  async function sendPending(): Promise<void> {
    while (pending.length) {
      const changes = compactChanges(pending);
      pending = [];
      sequence += 1;
      await send({ origin, sequence, changes });
      await pause(spacingMs, undefined, { ref: false });
    }
    sending = undefined;
  }

  const wake = () => {
    for (const listener of listeners) listener();
  };

  return {
    wake,
    notify(change) {
      pending.push(change);
      count += 1;
      lastSequence = sequence + 1;
      sending ??= Promise.resolve().then(sendPending);
      wake();
    },
    onNotice: (listener) => void listeners.push(listener),
    last: () => ({ count, token: `${origin}:${lastSequence}` }),
    settled: async () => sending,
    close: async () => {
      isClosing = true;
      await sending;
    },
  };
}

/**
 * Handlers of notices and of gaps, after which notices may have been missed (at the start and after each lost
 * connection).
 */
export interface ChangeHandlers {
  onNotice(notice: ChangeNotice): void;
  onGap(): void;
}

const minPauseMs = 250;
const maxPauseMs = 5_000;
/** Interval of connection checks, as a dead connection cannot be told from one without notices. */
const checkIntervalMs = 5_000;

/** Receives the change notices of all processes on a dedicated connection; reconnects with growing delays until closed. */
export class ChangeListener {
  readonly #url: string;
  readonly #handlers: ChangeHandlers;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  #client: pg.Client | undefined;
  #isListening = false;
  #isClosed = false;
  #pauseMs = minPauseMs;
  #timer: NodeJS.Timeout | undefined;

  /** Starts connecting and returns immediately. */
  constructor(url: string, handlers: ChangeHandlers, log: Logger, timeoutMs = checkIntervalMs) {
    this.#url = url;
    this.#handlers = handlers;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    void this.#connect();
  }

  /** Whether notices are being received; otherwise no cached data may be assumed to be current. */
  isListening(): boolean {
    return this.#isListening;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isListening = false;
    clearTimeout(this.#timer);
    await this.#client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'birdhub-changes',
      keepAlive: true,
      connectionTimeoutMillis: this.#timeoutMs,
      query_timeout: this.#timeoutMs,
    });
    this.#client = client;
    let isLost = false;
    let check: NodeJS.Timeout | undefined;
    const lose = (error: unknown) => {
      if (isLost) return;
      isLost = true;
      clearInterval(check);
      client.end().catch(() => undefined);
      this.#retry(error);
    };
    client.on('error', lose);
    client.on('end', () => lose(new Error('connection ended')));
    client.on('notification', ({ payload }) => this.#receive(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${changeChannel}`);
      if (isLost) return;
      check = setInterval(() => void client.query('SELECT 1').catch(lose), this.#timeoutMs);
      this.#handlers.onGap();
      this.#isListening = true;
      this.#pauseMs = minPauseMs;
    } catch (error) {
      lose(error);
    }
  }

  #receive(payload: string | undefined): void {
    const notice = readNotice(payload);
    if (notice) {
      this.#handlers.onNotice(notice);
      return;
    }
    this.#log.warn({ payload }, 'notification is not a change notice');
    this.#handlers.onGap();
  }

  #retry(error: unknown): void {
    this.#isListening = false;
    this.#client = undefined;
    if (this.#isClosed) return;
    this.#log.debug({ err: error }, 'connection for change notices lost, reconnecting');
    this.#timer = setTimeout(() => this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, maxPauseMs);
  }
}

/** Parses a notice; returns undefined for other payloads, as any client of the database may notify. */
function readNotice(payload: string | undefined): ChangeNotice | undefined {
  try {
    const notice = JSON.parse(payload ?? '') as Partial<ChangeNotice> | null;
    return Array.isArray(notice?.changes) ? (notice as ChangeNotice) : undefined;
  } catch {
    return undefined;
  }
}
