import { inTransaction } from '@birdhub/shared/db';
import { createTestDatabase, createTestWriter, type TestDatabase } from '@birdhub/testing';
import { writeUnchecked } from '@birdhub/testing/rows';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeciesTree } from '../species/directory.js';
import { detachNear } from './attachments.js';
import { RollupDeltas } from './plan.js';
import { readNeighbourhood } from './visits.store.js';

const hour = 3_600_000;
const runs = 1_000;
const first = Date.UTC(2026, 0, 1);

describe('a change after many attached runs', () => {
  let database: TestDatabase;
  let tree: SpeciesTree;
  let speciesId: number;
  beforeAll(async () => {
    database = await createTestDatabase();
    tree = await createTestWriter(database.pool).directory.tree();
    speciesId = tree.find('Wood Pigeon') ?? 0;
    await writeUnchecked(
      database.pool,
      `INSERT INTO attached_run (species_id, start_time, end_time, visit_id)
       SELECT $1, start_time, start_time + interval '1 minute', number
       FROM (SELECT number, $2::timestamptz + number * interval '1 hour' AS start_time
         FROM generate_series(0, $3::int - 1) number) run`,
      [speciesId, new Date(first), runs],
    );
    await database.pool.query('ANALYZE attached_run');
  });
  afterAll(() => database.drop());

  /** Returns a result with the number of runs that PostgreSQL read for it. */
  async function countReads<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<[T, number]> {
    const read = async (): Promise<number> => {
      const { rows } = await client.query(
        `SELECT seq_tup_read + idx_tup_fetch AS count FROM pg_stat_xact_user_tables WHERE relname = 'attached_run'`,
      );
      return Number(rows[0].count);
    };
    const before = await read();
    return [await work(), (await read()) - before];
  }

  const spanAt = (after: number) => {
    const start = first + (runs - 1) * hour + after;
    return { speciesId, parentId: null, start, end: start + 10_000 };
  };

  it.each([
    ['beside them, reads only the last run', hour / 2, false],
    ['during the last run, reads only that', 0, true],
  ])('%s', (_, after, meetsAttachments) =>
    inTransaction(database.pool, async (client) => {
      const span = spanAt(after);
      const [found, reads] = await countReads(client, () => readNeighbourhood(client, [span], 'all'));
      expect([found.meetsAttachments, reads]).toEqual([meetsAttachments, 1]);
    }),
  );

  it('beside them, detaches none and reads only the last run of each species', () =>
    inTransaction(database.pool, async (client) => {
      const span = spanAt(hour / 2);
      const neighbourhood = {
        rule: { gapMs: 60_000, timezone: 'UTC', treeRevision: 1 },
        visits: [],
        detections: [],
        meetsAttachments: true,
      };
      const deltas = new RollupDeltas('UTC');
      const detach = () => detachNear(client, tree, [span], neighbourhood, deltas);
      expect(await countReads(client, detach)).toEqual([[], 1]);
    }));
});
