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

it('species root migration, with an audio-only run beside a visit, marks the visits for a rebuild', async () => {
  const { pool } = database;
  // The state of 0.1.0.
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

it('folded names migration, with two spellings of one bird, keeps the known species and the moved names', async () => {
  const { pool } = database;
  const read = async (sql: string) => (await pool.query({ text: sql, rowMode: 'array' })).rows as unknown;
  // The state before: each spelling was a name, and a label had created a species for the second.
  await pool.query(`
    UPDATE species_alias SET key = 'weißstorch' WHERE key = 'weissstorch';
    WITH added AS (INSERT INTO species (name) VALUES ('Weissstorch') RETURNING id)
    INSERT INTO species_alias (key, species_id) SELECT 'weissstorch', id FROM added;
    INSERT INTO species_alias (key, species_id) SELECT 'тётя', id FROM species WHERE name = 'Great Tit';
    INSERT INTO species_merge (species_id, into_species_id, was_active, target_was_active, moved)
    SELECT min(id), max(id), false, false, '{"children": [1], "aliases": ["тётя", "straße"]}' FROM species`);
  await database.applyMigration('20261124151200_folded_names');
  const named = `SELECT name FROM species_alias JOIN species ON species.id = species_id WHERE key = `;
  expect(await read(`${named} 'weissstorch'`)).toEqual([['White Stork']]);
  expect(await read(`${named} 'тетя'`)).toEqual([['Great Tit']]);
  expect(await read(`SELECT key FROM species_alias WHERE key ~ '[ßё]'`)).toEqual([]);
  expect(await read('SELECT moved FROM species_merge')).toEqual([
    [{ children: [1], aliases: ['тетя', 'strasse'] }],
  ]);
});
