import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hubActivityTypes } from './index.js';

/** The types that the hub wrote when the migration was made. */
const typesThen = hubActivityTypes.filter((type) => !/^(?:assistant|share|sighting|token)_/.test(type));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

it('activity log migration, with rows of hub and processors, moves each to its table and keeps the ids', async () => {
  const { pool } = database;
  await pool.query(`DROP TABLE processor_heartbeat, processor_activity; DROP INDEX activity_log_updated_at_idx;
    DROP INDEX detection_notice_picture_idx; ALTER SEQUENCE activity_log_id_seq RESTART WITH 1`);
  const types = [...typesThen, 'heartbeat', 'log', 'own'];
  for (const type of types)
    await pool.query('INSERT INTO activity_log (type, data) VALUES ($1, $2)', [type, '1']);
  await pool.query(
    `INSERT INTO activity_log (id, type, data) VALUES (900, 'heartbeat', '2'), (15, 'settings_change', '3')`,
  );
  await database.applyMigration('20261122110200_processor_activity');
  const idsOf = async (table: string) =>
    (await pool.query<{ id: number }>(`SELECT id FROM ${table} ORDER BY id`)).rows.map(({ id }) => id);
  const ofHub = typesThen.map((_, index) => index + 1);
  expect(await idsOf('activity_log')).toEqual([...ofHub, 15]);
  expect(await idsOf('processor_heartbeat')).toEqual([12, 900]);
  expect(await idsOf('processor_activity')).toEqual([13, 14]);
  const next = async (table: string, columns: string, values: string) =>
    (await pool.query<{ id: number }>(`INSERT INTO ${table} (${columns}) VALUES (${values}) RETURNING id`))
      .rows[0]?.id;
  expect(await next('activity_log', 'type, data', `'settings_change', '{}'`)).toBe(16);
  expect(await next('processor_heartbeat', 'data', `'{}'`)).toBe(15);
  expect(await next('processor_activity', 'type, data', `'log', '{}'`)).toBe(15);
});
