import type pg from 'pg';

const isTransactionControl = (text: string) => /^\s*(begin|commit|rollback)\b/i.test(text);

function textOf(statement: unknown): string {
  return typeof statement === 'string' ? statement : String((statement as { text?: unknown }).text);
}

/** Counts the statements that a pool sends while `work` runs, without BEGIN, COMMIT and ROLLBACK. */
export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const originals = new Map<pg.PoolClient, pg.PoolClient['query']>();
  const watch = (client: pg.PoolClient) => {
    if (originals.has(client)) return;
    const original = client.query;
    originals.set(client, original);
    const counted = (...args: unknown[]) => {
      if (!isTransactionControl(textOf(args[0]))) count += 1;
      return Reflect.apply(original, client, args);
    };
    client.query = counted as typeof client.query;
  };
  pool.on('acquire', watch);
  try {
    await work();
    return count;
  } finally {
    pool.off('acquire', watch);
    for (const [client, original] of originals) client.query = original;
  }
}
