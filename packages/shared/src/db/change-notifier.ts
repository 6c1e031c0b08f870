import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';

/** The PostgreSQL channel on which writers say that something was committed. */
export const changeChannel = 'hub_changes';

type WholeSubject = 'species' | 'settings' | 'weather' | 'foods' | 'everything';

/** What was committed: recordings and visits of a span (ms since the epoch, closed), or a whole subject. */
export type Change =
  | { readonly kind: 'recordings'; readonly from: number; readonly to: number }
  | { readonly kind: WholeSubject };

/** One notice: who rang, its sequence number in that process, and what changed. */
export interface ChangeNotice {
  readonly origin: string;
  readonly sequence: number;
  readonly changes: readonly Change[];
}

const mostChanges = 32;
const retryMs = 500;
/** Under steady writing there is one notification in so many ms, for all that was committed in between. */
const spacingMs = 20;

/** Joins spans until few enough are left for one notification. */
export function compactChanges(changes: readonly Change[]): Change[] {
  const kinds = new Set<WholeSubject>();
  const spans: { from: number; to: number }[] = [];
  for (const change of changes) {
    if (change.kind !== 'recordings') kinds.add(change.kind);
    else spans.push({ from: change.from, to: change.to });
  }
  const whole = [...kinds].map((kind) => ({ kind }));
  if (spans.length <= mostChanges)
    return [...whole, ...spans.map((span) => ({ kind: 'recordings' as const, ...span }))];
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  return [...whole, { kind: 'recordings', from, to }];
}

/**
 * Tells every process of the hub that something was committed. Rung after the commit and never inside the
 * transaction: NOTIFY makes commits wait for each other. Rings while one is under way go out together.
 */
export interface ChangeNotifier {
  /** Rings and answers the token by which a reader knows that it has heard this notice (`origin:sequence`). */
  notify(change: Change): string;
  /** Says in this process alone that something was committed that no cached answer shows. */
  wake(): void;
  /** Calls back in this process at once, before the database carries the news to the others. */
  onNotice(listener: () => void): void;
  /** Resolves when every notice so far has been handed to the database. */
  settled(): Promise<void>;
  /** Hands over what waits and gives up when the database is away: nobody reads from it then either. */
  close(): Promise<void>;
}

/** The bell of one process. */
export function createChangeNotifier(pool: pg.Pool, log: Logger): ChangeNotifier {
  const origin = randomUUID().slice(0, 8);
  const listeners: (() => void)[] = [];
  let waiting: Change[] = [];
  let sequence = 0;
  let isClosing = false;
  let sending: Promise<void> | undefined;

  async function send(notice: ChangeNotice): Promise<void> {
    try {
      await pool.query('SELECT pg_notify($1, $2)', [changeChannel, JSON.stringify(notice)]);
    } catch (error) {
      if (isClosing) return;
      log.debug({ err: error }, 'bell not heard, ringing again');
      await pause(retryMs, undefined, { ref: false });
      if (!isClosing) await send(notice);
    }
  }

  async function sendWaiting(): Promise<void> {
    while (waiting.length) {
      const changes = compactChanges(waiting);
      waiting = [];
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
      waiting.push(change);
      const token = `${origin}:${sequence + 1}`;
      sending ??= Promise.resolve().then(sendWaiting);
      wake();
      return token;
    },
    onNotice: (listener) => void listeners.push(listener),
    settled: async () => sending,
    close: async () => {
      isClosing = true;
      await sending;
    },
  };
}
