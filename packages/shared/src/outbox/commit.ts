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

/** What a transaction announces. It takes effect with the commit, and is dropped when the transaction is rolled back. */
export interface Announcements {
  /** Adds events to the outbox, at the end of this transaction. */
  publish(...events: OutboxRow[]): void;
  /** Names changes of which all processes are notified after the commit. */
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

/** What {@link commit} works with. */
export interface CommitDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake'>;
}

/** What {@link commitWithPrisma} works with. */
export interface PrismaCommitDeps extends Pick<CommitDeps, 'notifier'> {
  readonly database: Pick<Database, 'transaction'>;
}

/**
 * Runs `work` in a transaction, see {@link inTransaction}, and returns its result after the commit. This is how the hub
 * announces what it writes: events go into the outbox in the same round trip as COMMIT, and processes are notified
 * when the commit has succeeded.
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

/** Runs `work` by means of `transact`, and announces what it names. */
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
  // The relay has events to publish also when no cached response has changed.
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

/** An event as a writer puts it into the table `outbox`, in the transaction of the change. */
export interface OutboxRow {
  readonly subject: Subject;
  /** Events of one key are published in the order of their rows; the writer holds a lock that orders them. */
  readonly orderingKey: string;
  readonly payload: unknown;
  readonly requestId: string | null;
}

/** @throws InvalidEventError when the payload is not what the catalogue allows */
export function outboxRow<S extends Subject>(
  subject: S,
  orderingKey: string,
  payload: EventMap[S],
  requestId: string | undefined,
): OutboxRow {
  assertEvent(subject, payload);
  return { subject, orderingKey, payload, requestId: requestId ?? null };
}
