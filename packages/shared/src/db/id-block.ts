import type pg from 'pg';
import { createSingleFlight } from '../async/index.js';

const blockSize = 64;

/** Ids from a sequence, fetched in blocks, so that the id of a row is known before the row is written. */
export interface IdBlock {
  /** Returns the next ids; a new block is fetched on the caller's connection, which may be in a transaction. */
  take(client: pg.ClientBase, count: number): Promise<number[]>;
}

/** The ids of one sequence for one process; those left over at its end stay unused. */
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
