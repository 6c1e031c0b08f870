import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('import results migration, with results under the old names, keeps them under those of scans', async () => {
  const { pool } = database;
  const scan = { message: 'success', imported: 1, already_known: 2, missing_files: 0, unreadable: 0 };
  const reasons = [{ reason: 'It has no time.', sentences: [], count: 3 }];
  await pool.query(
    `INSERT INTO job (kind, state, parameters, total, result)
     SELECT 'import', 'done', '{}', 0, result FROM unnest($1::jsonb[]) AS stored (result)`,
    [[scan, { taken: 10, known: 4, reasons }, null].map((result) => result && JSON.stringify(result))],
  );
  await database.applyMigration('20261128111000_import_results');
  expect((await pool.query('SELECT result FROM job ORDER BY id')).rows).toEqual([
    { result: scan },
    { result: { imported: 10, already_known: 4, reasons } },
    { result: null },
  ]);
});
