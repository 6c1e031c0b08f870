import { speciesKey } from '@birdhub/domain/species';
import type pg from 'pg';
import { cameraIds, type Scale } from '../data-set/scale.js';
import { speciesProfiles } from '../data-set/species-profiles.js';
import { type FoodPeriod, foods } from '../data-set/surroundings.js';
import { timestamp } from './copy-text.js';
import type { KnownSpecies } from './day-lines.js';
import type { StoreTotals } from './rollups.js';

/** Returns the birds of the data set from the catalogue and activates them. @throws when one is missing */
export async function findSpecies(client: pg.Client): Promise<KnownSpecies[]> {
  const names = speciesProfiles.map(([scientificName]) => scientificName);
  const { rows } = await client.query<{ key: string; id: number; name: string }>(
    `UPDATE species SET active = true FROM species_alias alias
     WHERE alias.species_id = species.id AND alias.key = ANY ($1) RETURNING alias.key, species.id, name`,
    [names.map(speciesKey)],
  );
  const known = new Map(rows.map(({ key, id, name }) => [key, { id, name }]));
  return names.map((name) => {
    const found = known.get(speciesKey(name));
    if (!found) throw new Error(`the species catalogue does not know ${name}`);
    return found;
  });
}

/** Stores cameras, foods and food periods; returns the ids of the foods. */
export async function insertFixedRows(client: pg.Client, scale: Scale, periods: readonly FoodPeriod[]) {
  await client.query('INSERT INTO camera (id) SELECT unnest($1::text[])', [
    cameraIds.slice(0, scale.cameras),
  ]);
  const ids: number[] = [];
  for (const name of foods) {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO bird_food (name) VALUES ($1) ON CONFLICT (lower(name)) DO UPDATE SET name = EXCLUDED.name RETURNING id`,
      [name],
    );
    ids.push(rows[0]?.id ?? Number.NaN);
  }
  for (const { foods: chosen, start, end } of periods) {
    await client.query(
      'INSERT INTO food_period (food_id, started_at, ended_at) SELECT unnest($1::int[]), $2, $3',
      [chosen.map((food) => ids[food]), timestamp(start), end === undefined ? null : timestamp(end)],
    );
  }
  return ids;
}

/** Stores the counters and the totals of species, months and files, after the recordings and days were stored. */
export async function insertTotals(client: pg.Client, totals: StoreTotals, species: readonly KnownSpecies[]) {
  await client.query(
    'INSERT INTO hub_counter (name, shard, value) SELECT name, 0, value FROM unnest($1::text[], $2::bigint[]) AS counter (name, value)',
    [[...totals.counters.keys()], [...totals.counters.values()]],
  );
  const rows = [...totals.bySpecies].map(([index, total]) => ({ species_id: species[index]?.id, ...total }));
  await client.query(
    'INSERT INTO species_total (species_id, visits, individuals) SELECT * FROM json_to_recordset($1) AS total (species_id int, visits bigint, individuals bigint)',
    [JSON.stringify(rows)],
  );
  await client.query(
    `INSERT INTO visit_month (year, month, species_id, visits, individuals, video_visits)
     SELECT span.year, extract(month FROM day), species_id, sum(visits), sum(individuals), sum(video_visits)
     FROM visit_day CROSS JOIN LATERAL (VALUES (extract(year FROM day)), (0)) AS span (year) GROUP BY 1, 2, 3`,
  );
  await client.query(
    `INSERT INTO media_quarter (begins_at, files, bytes)
     SELECT date_bin('15 minutes', start_time, 'epoch'), count(*), sum(file_size) FROM video GROUP BY 1`,
  );
  await client.query(
    `INSERT INTO hub_counter (name, shard, value) SELECT 'recordings_bytes', 0, sum(bytes) FROM media_quarter`,
  );
}

/** Sets the id sequences behind the loaded rows, and analyses the tables for the planner. */
export async function finishTables(client: pg.Client): Promise<void> {
  for (const table of ['video', 'detection', 'species_visit', 'weather_snapshot']) {
    await client.query(
      `SELECT setval(pg_get_serial_sequence('${table}', 'id'), (SELECT coalesce(max(id), 1) FROM ${table}))`,
    );
  }
  await client.query('VACUUM (ANALYZE)');
}
