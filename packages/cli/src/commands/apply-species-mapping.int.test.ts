import { readOptions } from '@birdhub/launcher/options';
import { aDetection, aRecording, createTestDatabase, createTestWriter } from '@birdhub/testing';
import { expect, test, vi } from 'vitest';
import { applySpeciesMapping } from './apply-species-mapping.js';

test('apply-species-mapping, a mapping that came after a detection, moves it and says so', async () => {
  const database = await createTestDatabase();
  const told = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    const { writer } = createTestWriter(database.pool);
    await writer.post(aRecording({ detections: [aDetection({ speciesName: 'Old Name' })] }), 'test');
    await database.pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [
      { detection: { species_mapping: { 'Old Name': 'Great Tit' } } },
    ]);
    const options = readOptions({ DATABASE_URL: database.url }, '/nowhere');
    expect(await applySpeciesMapping(options)).toBe(0);
    expect(told.mock.calls).toEqual([['Detections that are of another species now: 1.']]);
    const { rows } = await database.pool.query(
      'SELECT name FROM detection JOIN species ON species.id = species_id',
    );
    expect(rows).toEqual([{ name: 'Great Tit' }]);
  } finally {
    told.mockRestore();
    await database.drop();
  }
});
