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
export class ChangeNotifier {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #origin = randomUUID().slice(0, 8);
  readonly #listeners: (() => void)[] = [];
  #pending: Change[] = [];
  #count = 0;
  /** The sequence number of the last notice. */
  #sequence = 0;
  /** The sequence number of the notice with the last change. */
  #lastSequence = 0;
  #sending: Promise<void> | undefined;
  #isClosing = false;

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  notify(change: Change): void {
    this.#pending.push(change);
    this.#count += 1;
    this.#lastSequence = this.#sequence + 1;
    this.#sending ??= Promise.resolve().then(() => this.#sendPending());
    this.wake();
  }

  /** Calls only the listeners of this process, after a commit that does not affect cached responses. */
  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /** Adds a listener that is called immediately, before other processes are notified. */
  onNotice(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /**
   * Returns the number of changes so far and the consistency token (`origin:sequence`) of the last one. A reader that
   * has received the notice with that number has received all of them.
   */
  last(): { readonly count: number; readonly token: string } {
    return { count: this.#count, token: `${this.#origin}:${this.#lastSequence}` };
  }

  /** Resolves when the notices of all changes so far have been sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  /** Sends pending changes, without retries. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#sending;
  }

  async #sendPending(): Promise<void> {
    while (this.#pending.length) {
      const changes = compactChanges(this.#pending);
      this.#pending = [];
      this.#sequence += 1;
      await this.#send({ origin: this.#origin, sequence: this.#sequence, changes });
      await pause(spacingMs, undefined, { ref: false });
    }
    this.#sending = undefined;
  }

  async #send(notice: ChangeNotice): Promise<void> {
    try {
      await this.#pool.query('SELECT pg_notify($1, $2)', [changeChannel, JSON.stringify(notice)]);
    } catch (error) {
      if (this.#isClosing) return;
      this.#log.debug({ err: error }, 'change notice not sent, retrying');
      await pause(retryMs, undefined, { ref: false });
      if (!this.#isClosing) await this.#send(notice);
    }
  }
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
/** Interval of connection checks, as a dead connection looks like an idle one. */
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
