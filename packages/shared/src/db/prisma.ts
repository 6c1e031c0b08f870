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

/** Where the current query of Prisma runs, or the transaction that it begins. */
interface Current {
  readonly pool: pg.Pool;
  readonly connection?: pg.PoolClient;
}

/** An adapter of Prisma for several pools of one database, which can join the open transaction of a connection. */
class SharedPg extends PrismaPg {
  readonly current = new AsyncLocalStorage<Current>();

  override async connect() {
    const adapter = await super.connect();
    Object.defineProperty(adapter, 'client', { get: () => this.current.getStore()?.pool });
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => {
      const client = this.current.getStore()?.connection;
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
 * The Prisma client of a database. The pools of a process share it, as its description of all queries takes 6 MB. Its
 * query compiler, which is WebAssembly, is loaded at the first query.
 */
class SharedClient {
  readonly adapter: SharedPg;
  readonly plain: PlainClient;
  #users = 1;
  #connected: Promise<void> | undefined;

  private constructor(pool: pg.Pool) {
    this.adapter = new SharedPg(pool);
    // Messages contain neither source code nor query values.
    this.plain = new PlainClient({ adapter: this.adapter, errorFormat: 'minimal' });
  }

  static readonly #ofUrl = new Map<string, SharedClient>();

  /** Returns the client of the pool's database; call {@link release} once it is no longer used. */
  static of(pool: pg.Pool): SharedClient {
    const url = pool.options.connectionString ?? '';
    const open = SharedClient.#ofUrl.get(url);
    if (open) open.#users += 1;
    const client = open ?? new SharedClient(pool);
    SharedClient.#ofUrl.set(url, client);
    return client;
  }

  ready(): Promise<void> {
    this.#connected ??= this.#connect().catch((error: unknown) => {
      this.#connected = undefined;
      throw error;
    });
    return this.#connected;
  }

  /** Without optimisation by V8: it would cost 20 MB without a benefit, as each kind of query is compiled only once. */
  async #connect(): Promise<void> {
    setFlagsFromString('--wasm-tiering-budget=2000000000');
    try {
      await this.plain.$connect();
    } finally {
      setFlagsFromString(`--wasm-tiering-budget=${defaultTieringBudget}`);
    }
  }

  async release(pool: pg.Pool): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    SharedClient.#ofUrl.delete(pool.options.connectionString ?? '');
    await this.#connected;
    await this.plain.$disconnect();
    // In Node 20 each storage that was ever used makes every promise of the process slower.
    this.adapter.current.disable();
  }
}

/** The maximum delay of a timer: transactions have no timeout in Prisma. */
const noTimeoutMs = 2 ** 31 - 1;

/** Opens Prisma on a pool. */
export function openPrisma(pool: pg.Pool): PrismaOnPool {
  const shared = SharedClient.of(pool);
  const { adapter, plain } = shared;
  const extended = plain.$extends({
    query: {
      $allModels: {
        async $allOperations({ operation, args, query }) {
          await shared.ready();
          const result = await adapter.current.run({ pool }, async () => await query(args));
          return isAggregate(operation) ? result : toNumbers(result);
        },
      },
    },
  });
  const retyped = (client: unknown) => client as PrismaClient;
  return {
    prisma: retyped(extended),
    async transaction(work, begin) {
      await shared.ready();
      const withPrisma = (client: pg.PoolClient, send: Send) =>
        adapter.current.run({ pool, connection: client }, () =>
          extended.$transaction((within) => work({ client, prisma: retyped(within), send }), {
            timeout: noTimeoutMs,
          }),
        );
      return inTransaction(pool, withPrisma, begin);
    },
    close: () => shared.release(pool),
  };
}
