import type pg from 'pg';
import { type Change, type ChangeNotifier, inTransaction, type Send } from '../db/index.js';
import { insertOutbox, type OutboxRow } from './outbox.js';

/** A transaction that writes. What it announces takes effect with its commit, and is dropped when it is rolled back. */
export interface WriteTransaction {
  readonly client: pg.ClientBase;
  readonly send: Send;
  /** Adds events to the outbox, at the end of this transaction. */
  publish(...events: OutboxRow[]): void;
  /** Names changes of which all processes are notified after the commit. */
  changed(...changes: Change[]): void;
}

/** What {@link commit} works with. */
export interface CommitDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
}

/**
 * Runs `work` in a transaction, see {@link inTransaction}, and returns its result after the commit. This is how the hub
 * announces what it writes: events go into the outbox in the same round trip as COMMIT, and processes are notified
 * when the commit has succeeded.
 */
export async function commit<T>(
  { pool, notifier }: CommitDeps,
  work: (transaction: WriteTransaction) => Promise<T>,
  begin?: string,
): Promise<T> {
  const events: OutboxRow[] = [];
  const changes: Change[] = [];
  const result = await inTransaction(
    pool,
    async (client, send) => {
      const done = await work({
        client,
        send,
        publish: (...rows) => void events.push(...rows),
        changed: (...further) => void changes.push(...further),
      });
      if (events.length) send(client.query({ ...writeEvents, values: [JSON.stringify(events)] }));
      return done;
    },
    begin,
  );
  for (const change of changes) notifier.notify(change);
  // The relay has events to publish also when no cached response has changed.
  if (events.length && !changes.length) notifier.wake();
  return result;
}

const writeEvents = { name: 'write-outbox', text: insertOutbox('$1') };
