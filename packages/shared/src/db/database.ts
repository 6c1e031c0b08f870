import pg from 'pg';
import type { Logger } from 'pino';
import { openPrisma, type PrismaClient, type PrismaOnPool } from './prisma.js';

const int8 = 20;
const numeric = 1700;
const date = 1082;

/** bigint and numeric as numbers (all are below 2^53), dates as `YYYY-MM-DD`. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);
types.setTypeParser(numeric, Number);
types.setTypeParser(date, (text) => text);

/** The connections of one service. */
export interface Database {
  /** For writes, and for reads that must be current. */
  readonly pool: pg.Pool;
  /** For reads: the replica, if there is one, else {@link pool}. */
  readonly readPool: pg.Pool;
  /** Whether reads go to a replica, which may lag. */
  readonly hasReplica: boolean;
  /** Prisma on {@link pool}, for plain rows. */
  readonly prisma: PrismaClient;
  readonly transaction: PrismaOnPool['transaction'];
  close(): Promise<void>;
}

/** Options of {@link openDatabase}; the name is shown in `pg_stat_activity`. */
export interface DatabaseOptions {
  readonly url: string;
  readonly readUrl?: string | undefined;
  /** Maximum connections of a pool. */
  readonly max: number;
  readonly name: string;
  readonly log: Logger;
  /**
   * Timeout of statements, for services without long ones: the database may hang without closing connections, or be lost
   * while a statement is being sent.
   */
  readonly queryTimeoutMs?: number;
}

/** Opens the pools, which connect on demand. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = createPool(options.url, options);
  const readPool = options.readUrl ? createPool(options.readUrl, options) : pool;
  const { prisma, transaction, close: closePrisma } = openPrisma(pool);
  const close = async () => {
    await closePrisma();
    if (readPool !== pool) await readPool.end();
    if (!pool.ended) await pool.end();
  };
  return { pool, readPool, hasReplica: readPool !== pool, prisma, transaction, close };
}

/** Detects lost connections that are idle or wait for a result. */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/**
 * How much later than the client the database ends a statement. Otherwise the sessions of abandoned statements would wait
 * for locks and use up the connections.
 */
const statementGraceMs = 1_000;

function createPool(url: string, { max, name, log, queryTimeoutMs }: DatabaseOptions): pg.Pool {
  const settings = ['timezone=UTC', 'jit=off'];
  if (queryTimeoutMs !== undefined) settings.push(`statement_timeout=${queryTimeoutMs + statementGraceMs}`);
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: `birdhub-${name}`,
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    pipeline: true,
    idleTimeoutMillis: 30_000,
    options: toOptions(settings),
  });
  // The error object contains the entire connection, including addresses and keys.
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'idle database connection lost'));
  return pool;
}

const toOptions = (settings: readonly string[]) => settings.map((setting) => `-c ${setting}`).join(' ');

/** A connection outside the pools. */
export type Connection = pg.Client;

/** Text values round-trip regardless of the settings of server and role, and statements have no timeout. */
const connectionSettings = [
  'timezone=UTC',
  'datestyle=ISO',
  'intervalstyle=postgres',
  'extra_float_digits=1',
  'statement_timeout=0',
  'idle_in_transaction_session_timeout=0',
];

/** Opens a connection for long-running work on entire tables; the caller closes it. */
export async function openConnection({ url, name }: { url: string; name: string }): Promise<Connection> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `birdhub-${name}`,
    connectionTimeoutMillis: 5_000,
    ...keepAlive,
    options: toOptions(connectionSettings),
  });
  // A lost connection fails the current statement; without a listener it would also crash the process.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
