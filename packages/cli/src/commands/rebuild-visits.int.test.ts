import { readOptions } from '@birdhub/launcher/options';
import { aRecording, createTestDatabase, createTestWriter } from '@birdhub/testing';
import { expect, test, vi } from 'vitest';
import { rebuildAllVisits } from './rebuild-visits.js';

test('rebuild-visits, rollups that were lost, are made anew from the detections', async () => {
  const database = await createTestDatabase();
  const told = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const { pool, url } = database;
    await createTestWriter(pool).writer.post(aRecording(), 'test');
    const days = async () => (await pool.query('SELECT day::text, visits FROM visit_day')).rows as unknown[];
    const before = await days();
    expect(before).toHaveLength(1);
    await pool.query('DELETE FROM visit_day');
    expect(await rebuildAllVisits(readOptions({ DATABASE_URL: url }, '/nowhere'))).toBe(0);
    expect(told.mock.calls).toEqual([['Visits made anew: 1.']]);
    expect(await days()).toEqual(before);
  } finally {
    told.mockRestore();
    await database.drop();
  }
});
