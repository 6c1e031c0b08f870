import type pg from 'pg';

/** Counts the statements that a pool sends while `work` runs; transaction brackets are not counted. */
export async function countStatements(pool: pg.Pool, work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const watch = (client: pg.PoolClient) => {
    const original = client.query;
    const counted = (...args: unknown[]) => {
      const [first] = args;
      const text = typeof first === 'string' ? first : (first as { text?: string }).text;
      if (!/^(begin|commit|rollback)/i.test(text ?? '')) count += 1;
      return Reflect.apply(original, client, args);
    };
    client.query = counted as typeof client.query;
    client.once('end', () => undefined);
    restores.push(() => {
      client.query = original;
    });
  };
  const restores: (() => void)[] = [];
  pool.on('acquire', watch);
  try {
    await work();
    return count;
  } finally {
    pool.off('acquire', watch);
    for (const restore of restores) restore();
  }
}
