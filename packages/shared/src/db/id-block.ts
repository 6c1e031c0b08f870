import type pg from 'pg';
import { createSingleFlight } from '../async/index.js';

const blockSize = 64;

/** Ids from a sequence, taken in blocks, so that a row's id is known before the row is written. */
export interface IdBlock {
  /** The next ids; a new block is taken on the caller's own connection, which it may hold a transaction on. */
  take(client: pg.ClientBase, count: number): Promise<number[]>;
}

/** The ids of one sequence for one process; those that are left at its end stay unused. */
export function createIdBlock(sequence: string): IdBlock {
  const ids: number[] = [];
  const filling = createSingleFlight<void>();

  async function fill(client: pg.ClientBase, count: number): Promise<void> {
    const { rows } = await client.query<{ id: number }>(
      'SELECT nextval($1::regclass) AS id FROM generate_series(1, $2::int)',
      [sequence, Math.max(blockSize, count)],
    );
    for (const { id } of rows) ids.push(id);
  }

  return {
    async take(client, count) {
      while (ids.length < count) await filling.run(sequence, () => fill(client, count));
      return ids.splice(0, count);
    },
  };
}
