import type pg from 'pg';

/**
 * Adds a statement whose result is not awaited: it is pipelined with the next ones, and its failure fails the
 * transaction.
 */
export type Send = (statement: Promise<unknown>) => void;

function firstFailure(outcomes: readonly PromiseSettledResult<unknown>[]): { reason: unknown } | undefined {
  return outcomes.find((outcome) => outcome.status === 'rejected');
}

/**
 * Runs `work` in a transaction on one connection and returns its result after the commit; an error of `work` rolls
 * everything back. `begin` may contain settings and locks. Replies that are not needed are not awaited, so on a pool with
 * pipelining `begin` is sent with the first statement and COMMIT with the last.
 */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient, send: Send) => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  // A lost connection fails the statement; without a listener it would also crash the process.
  const lose = () => {
    isBroken = true;
  };
  client.on('error', lose);
  const sent: Promise<unknown>[] = [];
  const send: Send = (statement) => {
    statement.catch(() => undefined);
    sent.push(statement);
  };
  try {
    send(client.query(begin));
    const result = await work(client, send);
    send(client.query('COMMIT'));
    await Promise.all(sent);
    return result;
  } catch (error) {
    // Later failures are consequences of the first one.
    const failure = firstFailure(await Promise.allSettled(sent));
    await client.query('ROLLBACK').catch(lose);
    throw failure ? failure.reason : error;
  } finally {
    client.off('error', lose);
    client.release(isBroken);
  }
}
