import type pg from 'pg';
import {
  type Change,
  type ChangeNotifier,
  type Database,
  inTransaction,
  type Send,
  type Transaction,
} from '../db/index.js';
import { assertEvent, type EventMap, type Subject } from '../events/index.js';

/** Announcements of a transaction, which take effect with the commit and are dropped by a rollback. */
export interface Announcements {
  /** Adds events to the outbox at the end of this transaction. */
  publish(...events: OutboxRow[]): void;
  /** Adds changes of which all processes are notified after the commit. */
  changed(...changes: Change[]): void;
}

interface Connected {
  readonly client: pg.ClientBase;
  readonly send: Send;
}

/** A transaction that writes with SQL. */
export interface WriteTransaction extends Connected, Announcements {}

/** A transaction that writes with SQL and with Prisma. */
export interface PrismaWriteTransaction extends Transaction, Announcements {}

/** Dependencies of {@link commit}. */
export interface CommitDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
}

/** Dependencies of {@link commitWithPrisma}. */
export interface PrismaCommitDeps extends Pick<CommitDeps, 'notifier'> {
  readonly database: Pick<Database, 'transaction'>;
}

/**
 * Runs `work` in a transaction, see {@link inTransaction}, and returns its result after the commit. All writes of the
 * hub are announced this way: events are added to the outbox in the round trip of COMMIT, and processes are notified
 * after the commit.
 */
export function commit<T>(
  { pool, notifier }: CommitDeps,
  work: (transaction: WriteTransaction) => Promise<T>,
  begin?: string,
): Promise<T> {
  return announcing<T, Connected>(notifier, work, (perform) =>
    inTransaction(pool, (client, send) => perform({ client, send }), begin),
  );
}

/** {@link commit} for work that also uses Prisma, on the same connection. */
export function commitWithPrisma<T>(
  { database, notifier }: PrismaCommitDeps,
  work: (transaction: PrismaWriteTransaction) => Promise<T>,
): Promise<T> {
  return announcing<T, Transaction>(notifier, work, (perform) => database.transaction(perform));
}

/** Runs `work` in the transaction of `transact` and makes its announcements. */
async function announcing<T, C extends Connected>(
  notifier: CommitDeps['notifier'],
  work: (transaction: C & Announcements) => Promise<T>,
  transact: (perform: (transaction: C) => Promise<T>) => Promise<T>,
): Promise<T> {
  const events: OutboxRow[] = [];
  const changes: Change[] = [];
  const result = await transact(async (transaction) => {
    const done = await work({
      ...transaction,
      publish: (...rows) => void events.push(...rows),
      changed: (...further) => void changes.push(...further),
    });
    const { client, send } = transaction;
    if (events.length) send(client.query({ ...insertEvents, values: [JSON.stringify(events)] }));
    return done;
  });
  for (const change of changes) notifier.notify(change);
  // The relay has to publish the events even if no cached response has changed.
  if (events.length && !changes.length) notifier.wake();
  return result;
}

const insertEvents = {
  name: 'write-outbox',
  text: `
    INSERT INTO outbox (subject, ordering_key, payload, request_id)
    SELECT subject, "orderingKey", payload, "requestId"
    FROM json_to_recordset($1) AS event (subject text, "orderingKey" text, payload jsonb, "requestId" text)`,
};

/** A row of the table `outbox`, written in the transaction of the change. */
export interface OutboxRow {
  readonly subject: Subject;
  /** Events with the same key are published in the order of their rows; the writer must hold a lock that orders them. */
  readonly orderingKey: string;
  readonly payload: unknown;
  readonly requestId: string | null;
}

/** Creates a row of the outbox. @throws InvalidEventError when the payload does not match the catalogue */
export function outboxRow<S extends Subject>(
  subject: S,
  orderingKey: string,
  payload: EventMap[S],
  requestId: string | undefined,
): OutboxRow {
  assertEvent(subject, payload);
  return { subject, orderingKey, payload, requestId: requestId ?? null };
}
