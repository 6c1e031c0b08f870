import { AsyncLocalStorage } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ITXClientDenyList } from '@prisma/client/runtime/client';
import type pg from 'pg';
import { PrismaClient as PlainClient, type Prisma } from './generated/client.js';
import { inTransaction, type Send } from './transaction.js';

type Scalars<M extends Prisma.ModelName> = Prisma.TypeMap['model'][M]['payload']['scalars'];

/** The columns of a row whose type in the database is bigint, as a result extension that makes numbers of them. */
type BigintColumns<Row> = {
  [K in keyof Row as bigint extends Row[K] ? K : never]: () => {
    needs: Record<never, never>;
    compute: () => null extends Row[K] ? number | null : number;
  };
};

interface NumbersForBigints {
  result: { [M in Prisma.ModelName as Uncapitalize<M>]: BigintColumns<Scalars<M>> };
  model: Record<never, never>;
  query: Record<never, never>;
  client: Record<never, never>;
}

/**
 * The Prisma client of the hub, the same in a transaction and outside. Columns of rows that are bigint in the database
 * are numbers, as in hand-written SQL: all stay below 2^53.
 */
export type PrismaClient = Omit<
  PlainClient<never, undefined, NumbersForBigints>,
  ITXClientDenyList | '$transaction'
>;

/** A row as Prisma returns it. */
export type Row<M extends Prisma.ModelName> = Prisma.Result<
  PrismaClient[Uncapitalize<M>],
  Record<never, never>,
  'findFirstOrThrow'
>;

/** One connection in a transaction, for hand-written SQL and for Prisma. */
export interface Transaction {
  readonly client: pg.PoolClient;
  readonly prisma: PrismaClient;
  readonly send: Send;
}

/** Prisma on a pool that hand-written SQL uses too. */
export interface PrismaOnPool {
  readonly prisma: PrismaClient;
  /**
   * {@link inTransaction}, in which Prisma sends its statements over the same connection: what both write is committed
   * or rolled back together.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, begin?: string): Promise<T>;
  close(): Promise<void>;
}

/** The adapter of Prisma, whose transactions can be those that a connection is in already. */
class SharedPg extends PrismaPg {
  readonly connection = new AsyncLocalStorage<pg.PoolClient>();

  override async connect() {
    const adapter = await super.connect();
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const client = this.connection.getStore();
      if (!client) return begin(level);
      const done = async () => undefined;
      // With a phantom query Prisma leaves COMMIT and ROLLBACK to the caller, here to `inTransaction`.
      const options = { usePhantomQuery: true };
      return Object.create(adapter, {
        client: { value: client },
        options: { value: options },
        commit: { value: done },
        rollback: { value: done },
      });
    };
    return adapter;
  }
}

function toNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) value[at] = toNumbers(value[at]);
  } else if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype
  ) {
    const row = value as Record<string, unknown>;
    for (const key in row) row[key] = toNumbers(row[key]);
  }
  return value;
}

/** What a function may run until V8 compiles it to faster code; modules get it when they are loaded. */
const usualTieringBudget = 1_800_000;

/** Sums and counts keep the types that Prisma gives them. */
const isAggregate = (operation: string) => operation === 'aggregate' || operation === 'groupBy';

/**
 * Loads the query compiler, which is WebAssembly. V8 would compile what runs often a second time, to faster code: for
 * some 20 MB more, and nothing, as each kind of query is compiled once.
 */
async function connect(client: PlainClient): Promise<void> {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
  try {
    await client.$connect();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${usualTieringBudget}`);
  }
}

/** The maximum delay of a timer: only PostgreSQL ends a long transaction. */
const noTimeoutMs = 2 ** 31 - 1;

/** Opens Prisma on a pool; its query compiler is loaded at the first query. */
export function openPrisma(pool: pg.Pool): PrismaOnPool {
  const adapter = new SharedPg(pool);
  // Minimal: a message without source code and without the values of the query.
  const plain = new PlainClient({ adapter, errorFormat: 'minimal' });
  let connected: Promise<void> | undefined;
  const ready = () => {
    connected ??= connect(plain).catch((error: unknown) => {
      connected = undefined;
      throw error;
    });
    return connected;
  };
  const extended = plain.$extends({
    query: {
      $allModels: {
        async $allOperations({ operation, args, query }) {
          await ready();
          const result = await query(args);
          return isAggregate(operation) ? result : toNumbers(result);
        },
      },
    },
  });
  const retyped = (client: unknown) => client as PrismaClient;
  return {
    prisma: retyped(extended),
    async transaction(work, begin) {
      await ready();
      const withPrisma = (client: pg.PoolClient, send: Send) =>
        adapter.connection.run(client, () =>
          extended.$transaction((within) => work({ client, prisma: retyped(within), send }), {
            timeout: noTimeoutMs,
          }),
        );
      return inTransaction(pool, withPrisma, begin);
    },
    async close() {
      await connected;
      await plain.$disconnect();
    },
  };
}
