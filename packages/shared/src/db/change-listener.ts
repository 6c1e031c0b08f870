import pg from 'pg';
import type { Logger } from 'pino';
import { type ChangeNotice, changeChannel } from './change-notifier.js';

/** Receives the change notices of all processes on a connection of its own. */
export interface ChangeListener {
  /** Whether notices are received now; while not, nothing that was read before may be taken as still true. */
  isListening(): boolean;
  close(): Promise<void>;
}

/** What to do on a notice, and when notices may have been missed (at the start and after each lost connection). */
export interface ChangeHandlers {
  onNotice(notice: ChangeNotice): void;
  onGap(): void;
}

const maxPauseMs = 5_000;
/** How often the connection is checked: a dead one looks like one without notices. */
const checkIntervalMs = 5_000;

/** Returns undefined when the payload is not a notice: any client of the database may notify. */
function readNotice(payload: string | undefined): ChangeNotice | undefined {
  try {
    const notice = JSON.parse(payload ?? '') as Partial<ChangeNotice> | null;
    return Array.isArray(notice?.changes) ? (notice as ChangeNotice) : undefined;
  } catch {
    return undefined;
  }
}

/** Listens until closed; reconnects after growing pauses when the connection is lost. */
export function listenForChanges(
  url: string,
  handlers: ChangeHandlers,
  log: Logger,
  timeoutMs = checkIntervalMs,
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
    log.debug({ err: error }, 'connection for change notices lost, reconnecting');
    timer = setTimeout(connect, pauseMs);
    pauseMs = Math.min(pauseMs * 2, maxPauseMs);
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'birdhub-changes',
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
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
      log.warn({ payload }, 'notification is not a change notice');
      handlers.onGap();
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${changeChannel}`);
      if (isLost) return;
      check = setInterval(() => void next.query('SELECT 1').catch(lose), timeoutMs);
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
