import { readOptions } from '@birdhub/launcher/options';
import {
  aDetection,
  aRecording,
  createTestDatabase,
  createTestWriter,
  storeSettings,
} from '@birdhub/testing';
import { expect, test, vi } from 'vitest';
import { applySpeciesMapping, rebuildAllVisits } from './maintenance.js';

test('rebuild-visits, after the rollups were lost, rebuilds them from the detections', async () => {
  const database = await createTestDatabase();
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const { pool, url } = database;
    await createTestWriter(pool).writer.post(aRecording(), 'test');
    const days = async () => (await pool.query('SELECT day::text, visits FROM visit_day')).rows as unknown[];
    const before = await days();
    expect(before).toHaveLength(1);
    await pool.query('DELETE FROM visit_day');
    expect(await rebuildAllVisits(readOptions({ DATABASE_URL: url }, '/nowhere'))).toBe(0);
    expect(printed.mock.calls).toEqual([['Visits rebuilt: 1.']]);
    expect(await days()).toEqual(before);
  } finally {
    printed.mockRestore();
    await database.drop();
  }
});

test('apply-species-mapping, a mapping added after a detection, moves it and prints the number', async () => {
  const database = await createTestDatabase();
  const printed = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const { writer } = createTestWriter(database.pool);
    await writer.post(aRecording({ detections: [aDetection({ speciesName: 'Old Name' })] }), 'test');
    await storeSettings(database.pool, { detection: { species_mapping: { 'Old Name': 'Great Tit' } } });
    const options = readOptions({ DATABASE_URL: database.url }, '/nowhere');
    expect(await applySpeciesMapping(options)).toBe(0);
    expect(printed.mock.calls).toEqual([['Detections moved to another species: 1.']]);
    const { rows } = await database.pool.query(
      'SELECT name FROM detection JOIN species ON species.id = species_id',
    );
    expect(rows).toEqual([{ name: 'Great Tit' }]);
  } finally {
    printed.mockRestore();
    await database.drop();
  }
});
