import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  type TestDatabase,
} from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rebuildVisits } from '../visits/rebuild.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('the migration to one species root, with an audio-only run beside a visit, leads to the visits that a rebuild makes', async () => {
  const { pool } = database;
  // As 0.1.0 had it.
  await pool.query(`UPDATE species SET parent_id = NULL WHERE name IN ('Bird', 'Unknown')`);
  await pool.query('ALTER TABLE visit_rule DROP COLUMN is_outdated');
  const { writer } = createTestWriter(pool);
  const detections = [
    aDetection({ speciesName: 'Birds', source: 'audio' }),
    aDetection({ speciesName: 'Bird', trackId: '2' }),
  ];
  await writer.post(aRecording({ detections }), 'test');
  const read = async (sql: string) => (await pool.query({ text: sql, rowMode: 'array' })).rows as unknown;
  const visits = 'SELECT name FROM species_visit JOIN species ON species.id = species_id ORDER BY name';
  expect(await read(visits)).toEqual([['Bird'], ['Birds']]);

  await database.applyMigration('20261122115000_one_species_root');
  expect(await read('SELECT is_outdated FROM visit_rule')).toEqual([[true]]);
  expect(await read(`SELECT name FROM species WHERE parent_id IS NULL AND generic`)).toEqual([['Birds']]);

  await rebuildVisits({ pool, ...createTestWriter(pool) });
  expect(await read(visits)).toEqual([['Bird']]);
  expect(await read('SELECT is_outdated FROM visit_rule')).toEqual([[false]]);
});
