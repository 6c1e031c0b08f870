import { AsyncLocalStorage } from 'node:async_hooks';
import { setFlagsFromString } from 'node:v8';
import { PrismaPg } from '@prisma/adapter-pg';
import type { ITXClientDenyList } from '@prisma/client/runtime/client';
import type pg from 'pg';
import { PrismaClient as PlainClient, type Prisma } from './generated/client.js';
import { inTransaction, type Send } from './transaction.js';

type Scalars<M extends Prisma.ModelName> = Prisma.TypeMap['model'][M]['payload']['scalars'];

/** A result extension that converts the bigint columns of a row to numbers. */
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
 * The Prisma client of the hub, inside and outside transactions. Bigint columns are numbers, as in hand-written SQL:
 * all stay below 2^53.
 */
export type PrismaClient = Omit<
  PlainClient<never, undefined, NumbersForBigints>,
  ITXClientDenyList | '$transaction'
>;

/** A row as returned by Prisma. */
export type Row<M extends Prisma.ModelName> = Prisma.Result<
  PrismaClient[Uncapitalize<M>],
  Record<never, never>,
  'findFirstOrThrow'
>;

/** A transaction for hand-written SQL and Prisma on one connection. */
export interface Transaction {
  readonly client: pg.PoolClient;
  readonly prisma: PrismaClient;
  readonly send: Send;
}

/** Prisma on a pool that is shared with hand-written SQL. */
export interface PrismaOnPool {
  readonly prisma: PrismaClient;
  /**
   * Like {@link inTransaction}, with Prisma on the same connection: writes of both are committed or rolled back
   * together.
   */
  transaction<T>(work: (transaction: Transaction) => Promise<T>, begin?: string): Promise<T>;
  close(): Promise<void>;
}

/** An adapter of Prisma that can join the open transaction of a connection. */
class SharedPg extends PrismaPg {
  readonly connection = new AsyncLocalStorage<pg.PoolClient>();

  override async connect() {
    const adapter = await super.connect();
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const client = this.connection.getStore();
      if (!client) return begin(level);
      const done = async () => undefined;
      // With phantom queries Prisma leaves COMMIT and ROLLBACK to the caller, here `inTransaction`.
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

/** V8's default budget before a WebAssembly function is optimised; a module uses the value at its compilation. */
const defaultTieringBudget = 1_800_000;

/** The results of aggregates keep the types of Prisma. */
const isAggregate = (operation: string) => operation === 'aggregate' || operation === 'groupBy';

/**
 * Loads the query compiler, which is WebAssembly, without optimisation by V8: it would cost 20 MB without a benefit, as
 * each kind of query is compiled only once.
 */
async function connect(client: PlainClient): Promise<void> {
  setFlagsFromString('--wasm-tiering-budget=2000000000');
  try {
    await client.$connect();
  } finally {
    setFlagsFromString(`--wasm-tiering-budget=${defaultTieringBudget}`);
  }
}

/** The maximum delay of a timer: transactions have no timeout in Prisma. */
const noTimeoutMs = 2 ** 31 - 1;

/** Opens Prisma on a pool; its query compiler is loaded at the first query. */
export function openPrisma(pool: pg.Pool): PrismaOnPool {
  const adapter = new SharedPg(pool);
  // Messages contain neither source code nor query values.
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
