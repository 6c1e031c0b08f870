import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  readExpectedState,
  readStoredState,
  type TestDatabase,
} from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('empty rollups migration, with rollups without visits, leaves those of the stored visits', async () => {
  const { pool } = database;
  const { writer } = createTestWriter(pool);
  const detections = [aDetection(), aDetection({ speciesName: 'European Robin', source: 'audio' })];
  await writer.post(aRecording({ detections }), 'test');
  await pool.query(`
    INSERT INTO visit_day SELECT '2020-01-01', id, 0, 0, 0, 0, 0 FROM species LIMIT 5;
    INSERT INTO visit_month SELECT year, 1, id, 0, 0, 0 FROM species, (VALUES (0), (2020)) AS span (year) LIMIT 10;
    INSERT INTO species_total SELECT id, 0, 0 FROM species ON CONFLICT DO NOTHING`);
  await database.applyMigration('20261127111000_empty_rollups');
  expect(await readStoredState(pool)).toEqual(await readExpectedState(pool));
});
