import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
} from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('visit month migration, with stored visits, creates the months that writers would have kept', async () => {
  const { pool } = database;
  const { writer } = createTestWriter(pool);
  for (const start of ['2024-12-31T23:59:00Z', '2025-01-01T08:00:00Z', '2026-01-31T08:00:00Z']) {
    const detections = [aDetection(), aDetection({ speciesName: 'European Robin', source: 'audio' })];
    await writer.post(aRecording({ start: Date.parse(start), detections }), 'test');
  }
  const months = async () =>
    (await pool.query('SELECT * FROM visit_month ORDER BY year, month, species_id')).rows;
  const kept = await months();
  expect(kept).toHaveLength(10);
  await pool.query('DROP TABLE visit_month; DROP INDEX detection_unreviewed_idx');
  await database.applyMigration('20261121140000_visit_month');
  expect(await months()).toEqual(kept);
});
