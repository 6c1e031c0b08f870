import pg from 'pg';
import type { Logger } from 'pino';
import { openPrisma, type PrismaClient, type PrismaOnPool } from './prisma.js';

const int8 = 20;
const numeric = 1700;
const date = 1082;

/** bigint and numeric as numbers (all stay below 2^53), dates as `YYYY-MM-DD`. */
const types = new pg.TypeOverrides();
types.setTypeParser(int8, Number);
types.setTypeParser(numeric, Number);
types.setTypeParser(date, (text) => text);

/** The connections of one service. */
export interface Database {
  /** For writes, and for reads that must see them. */
  readonly pool: pg.Pool;
  /** For reads; the replica when there is one, else the same pool. */
  readonly readPool: pg.Pool;
  /** Whether reads go to a replica, which may lag. */
  readonly hasReplica: boolean;
  /** Prisma on {@link pool}, for plain rows. */
  readonly prisma: PrismaClient;
  readonly transaction: PrismaOnPool['transaction'];
  close(): Promise<void>;
}

/** How to connect: URLs, most connections, name seen in `pg_stat_activity`. */
export interface DatabaseOptions {
  readonly url: string;
  readonly readUrl?: string | undefined;
  readonly max: number;
  readonly name: string;
  readonly log: Logger;
  /** Longest time until a statement is answered, where all are short: a database may stand still without a word. */
  readonly queryTimeoutMs?: number;
}

function createPool(url: string, { max, name, log, queryTimeoutMs }: DatabaseOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    application_name: `birdhub-${name}`,
    connectionTimeoutMillis: 5_000,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    pipeline: true,
    idleTimeoutMillis: 30_000,
    options: '-c timezone=UTC -c jit=off',
  });
  // The error holds the whole connection, with its addresses and keys.
  pool.on('error', ({ message }) => log.warn({ reason: message }, 'idle database connection lost'));
  return pool;
}

/** Opens the pools; connections are made when they are needed. */
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
