import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

describe('visit gap constraint', () => {
  let database: TestDatabase;
  let species: number[];
  beforeAll(async () => {
    database = await createTestDatabase();
    species = (await database.pool.query('SELECT id FROM species ORDER BY id LIMIT 2')).rows.map(
      (row) => row.id,
    );
  });
  beforeEach(() => database.pool.query('TRUNCATE species_visit CASCADE'));
  afterAll(() => database.drop());

  /** Seconds from noon. */
  const at = (seconds: number) => new Date(Date.UTC(2026, 4, 1, 12) + seconds * 1000);
  const add = (speciesId: number | undefined, start: number, end: number) =>
    database.pool.query(
      `INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
       VALUES ($1, $2, $3, 1, 1, 1)`,
      [speciesId, at(start), at(end)],
    );
  const refused = { code: '23P01', constraint: 'species_visit_gap' };

  it.each([
    ['a gap after the other', 160, 200],
    ['a gap before the other', -100, -60],
    ['at the same time', 0, 100],
    ['inside the other', 40, 50],
    ['around the other', -500, 500],
    ['touching its start', -90, 0],
  ])('a visit %s, is refused', async (_, start, end) => {
    await add(species[0], 0, 100);
    await expect(add(species[0], start, end)).rejects.toMatchObject(refused);
  });

  it.each([
    ['just more than a gap after', 160.001, 200],
    ['just more than a gap before', -100, -60.001],
  ])('a visit %s, is accepted', async (_, start, end) => {
    await add(species[0], 0, 100);
    await expect(add(species[0], start, end)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('visits of different species, may overlap', async () => {
    await add(species[0], 0, 100);
    await expect(add(species[1], 0, 100)).resolves.toMatchObject({ rowCount: 1 });
  });

  it('a visit extended towards another or moved to its species, is refused', async () => {
    await add(species[0], 0, 100);
    await add(species[0], 200, 210);
    await add(species[1], 110, 120);
    const move = 'UPDATE species_visit SET end_time = $1 WHERE start_time = $2';
    await expect(database.pool.query(move, [at(140), at(0)])).rejects.toMatchObject(refused);
    const change = 'UPDATE species_visit SET species_id = $1 WHERE start_time = $2';
    await expect(database.pool.query(change, [species[0], at(110)])).rejects.toMatchObject(refused);
  });

  it('visits too close only within a transaction, are accepted', async () => {
    await add(species[0], 0, 100);
    const client = await database.pool.connect();
    await client.query('BEGIN');
    await client.query(`UPDATE species_visit SET end_time = $1`, [at(190)]);
    await client.query(
      `INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
       VALUES ($1, $2, $2, 1, 1, 1)`,
      [species[0], at(200)],
    );
    await client.query('UPDATE species_visit SET end_time = $1 WHERE start_time = $2', [at(100), at(0)]);
    await expect(client.query('COMMIT')).resolves.toMatchObject({ command: 'COMMIT' });
    client.release();
  });
});
