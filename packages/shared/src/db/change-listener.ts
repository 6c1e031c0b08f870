import pg from 'pg';
import type { Logger } from 'pino';
import { type ChangeNotice, changeChannel } from './change-notifier.js';

/** Hears the notifiers of all processes on a connection of its own. */
export interface ChangeListener {
  /** Whether every notice is heard now; while not, nothing that was read before may be taken as still true. */
  isListening(): boolean;
  close(): Promise<void>;
}

/** What to do on a notice, and when rings may have been missed (at the start and after each lost connection). */
export interface ChangeHandlers {
  onNotice(notice: ChangeNotice): void;
  onGap(): void;
}

const longestPauseMs = 5_000;
/** A connection that nothing comes through any more looks like one on which nobody rings. */
const checkEveryMs = 5_000;

/** Undefined for what is no notice: anybody with the database's password may notify. */
function readNotice(payload: string | undefined): ChangeNotice | undefined {
  try {
    const notice = JSON.parse(payload ?? '') as Partial<ChangeNotice> | null;
    return Array.isArray(notice?.changes) ? (notice as ChangeNotice) : undefined;
  } catch {
    return undefined;
  }
}

/** Listens until closed; a lost connection is taken up again with growing pauses. */
export function listenForChanges(
  url: string,
  handlers: ChangeHandlers,
  log: Logger,
  patienceMs = checkEveryMs,
): ChangeListener {
  let client: pg.Client | undefined;
  let isListening = false;
  let isClosed = false;
  let pauseMs = 250;
  let timer: NodeJS.Timeout | undefined;

  function retry(error: unknown): void {
    isListening = false;
    client = undefined;
    if (isClosed) return;
    log.debug({ err: error }, 'bell connection lost');
    timer = setTimeout(connect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, longestPauseMs);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'birdhub-changes',
      keepAlive: true,
      connectionTimeoutMillis: patienceMs,
      query_timeout: patienceMs,
    });
    client = next;
    let isLost = false;
    let check: NodeJS.Timeout | undefined;
    const lose = (error: unknown) => {
      if (isLost) return;
      isLost = true;
      clearInterval(check);
      next.end().catch(() => undefined);
      retry(error);
    };
    next.on('error', lose);
    next.on('end', () => lose(new Error('connection ended')));
    next.on('notification', ({ payload }) => {
      const notice = readNotice(payload);
      if (notice) return handlers.onNotice(notice);
      log.warn({ payload }, 'notification that is no notice');
      handlers.onGap();
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${changeChannel}`);
      if (isLost) return;
      check = setInterval(() => void next.query('SELECT 1').catch(lose), patienceMs);
      handlers.onGap();
      isListening = true;
      pauseMs = 250;
    } catch (error) {
      lose(error);
    }
  }

  void connect();
  return {
    isListening: () => isListening,
    async close() {
      isClosed = true;
      isListening = false;
      clearTimeout(timer);
      await client?.end();
    },
  };
}
