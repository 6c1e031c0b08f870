import { randomUUID } from 'node:crypto';
import { migrate as migrateDatabase } from '@birdhub/shared/db';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { catalogue } from './catalogue.js';
import { seedCatalogue } from './seed.js';

const migrate = (url: string) => migrateDatabase(url, seedCatalogue);

describe('migrate with the species catalogue as its seed', () => {
  let admin: pg.Client;
  let client: pg.Client;
  let url: string;
  const made: string[] = [];

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: inject('databaseUrl') });
    await admin.connect();
  });
  beforeEach(async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await admin.query(`CREATE DATABASE ${name}`);
    made.push(name);
    url = Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;
    await client?.end();
    client = new pg.Client({ connectionString: url });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    for (const name of made) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });

  const rowsOf = async (sql: string, values: unknown[] = []) => (await client.query(sql, values)).rows;
  const countSpecies = () =>
    rowsOf('SELECT count(*)::int AS species, count(ebird_code)::int AS codes FROM species');
  /** Makes the next migration read the catalogue again, as for a new edition. */
  const forgetEdition = () => client.query(`DELETE FROM setting WHERE key = 'catalogue'`);

  it('an empty database, gets all tables and the catalogue; a second migration changes nothing', async () => {
    const first = await migrate(url);
    const species = await countSpecies();
    expect(first.applied.length).toBeGreaterThan(0);
    expect(await migrate(url)).toEqual({ applied: [] });
    expect(await countSpecies()).toEqual(species);
    expect(species[0]?.species).toBeGreaterThan(catalogue().species.length);
    const ledger = await rowsOf('SELECT migration_name AS name FROM _prisma_migrations ORDER BY name');
    expect(ledger.map((row) => row.name)).toEqual(first.applied);
  });

  it('three concurrent migrations, wait for each other and apply each migration once', async () => {
    const responses = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const applied = responses.flatMap((response) => response.applied);
    expect(new Set(applied).size).toBe(applied.length);
    const ledger = await rowsOf('SELECT migration_name FROM _prisma_migrations');
    expect(ledger).toHaveLength(applied.length);
  });

  it('a species created by a processor before, keeps its id and gets the data and names of the catalogue', async () => {
    await migrate(url);
    await client.query(
      `DELETE FROM species_alias WHERE species_id = (SELECT id FROM species WHERE name = 'Great Tit');
       DELETE FROM species WHERE name = 'Great Tit';
       WITH made AS (INSERT INTO species (name, active, description) VALUES ('great tit', true, 'mine') RETURNING id)
       INSERT INTO species_alias SELECT 'great tit', id FROM made`,
    );
    await forgetEdition();
    await migrate(url);
    const found = await rowsOf(
      `SELECT name, scientific_name, ebird_code, active, description FROM species WHERE name ILIKE 'great tit'`,
    );
    expect(found).toEqual([
      {
        name: 'great tit',
        scientific_name: 'Parus major',
        ebird_code: 'gretit1',
        active: true,
        description: 'mine',
      },
    ]);
    const aliases = await rowsOf(
      `SELECT count(DISTINCT species_id)::int AS species FROM species_alias WHERE key IN ('great tit', 'parus major')`,
    );
    expect(aliases).toEqual([{ species: 1 }]);
    expect(await rowsOf(`SELECT 1 FROM species_alias WHERE key = 'parus major'`)).toHaveLength(1);
  });

  it('an eBird code that a person gave to another species, is left there without an error', async () => {
    await migrate(url);
    const before = await countSpecies();
    await client.query(
      `UPDATE species SET ebird_code = NULL WHERE name = 'Great Tit';
       INSERT INTO species (name, ebird_code) VALUES ('My Tit', 'gretit1');
       DELETE FROM species_alias WHERE species_id = (SELECT id FROM species WHERE ebird_code = 'coatit2' OR name = 'Coal Tit' LIMIT 1);
       DELETE FROM species WHERE name = 'Coal Tit';
       INSERT INTO species (name, ebird_code) SELECT 'My Coal Tit', 'coatit2'`,
    );
    await forgetEdition();
    await migrate(url);
    const found = await rowsOf(
      `SELECT name, ebird_code FROM species WHERE name IN ('Great Tit', 'Coal Tit', 'My Tit', 'My Coal Tit') ORDER BY name`,
    );
    expect(found).toEqual([
      { name: 'Coal Tit', ebird_code: null },
      { name: 'Great Tit', ebird_code: null },
      { name: 'My Coal Tit', ebird_code: 'coatit2' },
      { name: 'My Tit', ebird_code: 'gretit1' },
    ]);
    expect((await countSpecies())[0]?.species).toBe((before[0]?.species ?? 0) + 2);
  });

  const oneOf = async (key: string) =>
    (
      await rowsOf(
        `SELECT species.id, species.name, species.scientific_name, species.ebird_code, species.species_group AS "group",
           parent.name AS parent
         FROM species_alias JOIN species ON species.id = species_id
         LEFT JOIN species parent ON parent.id = species.parent_id WHERE key = $1`,
        [key],
      )
    )[0] as Record<string, unknown> | undefined;
  /** Deletes a species of the catalogue and lets a label create it. */
  const createByLabel = async (name: string, label: string) => {
    await client.query(
      `DELETE FROM species_alias WHERE species_id = (SELECT id FROM species WHERE name = '${name}');
       DELETE FROM species WHERE name = '${name}'`,
    );
    const { rows } = await client.query<{ id: number }>(
      `WITH made AS (INSERT INTO species (name) VALUES ($1) RETURNING id)
       INSERT INTO species_alias (key, species_id) SELECT lower($1), id FROM made RETURNING species_id AS id`,
      [label],
    );
    return rows[0]?.id;
  };

  it.each([
    ['Azure Tit', 'Cyanistes cyanus', 'Azure Tit'],
    ['Azure Tit', 'Lasurmeise', 'Lasurmeise'],
    ['Azure Tit', 'azure tit', 'azure tit'],
  ])('%s, created before by the label %s, is completed, not duplicated', async (name, label, shown) => {
    await migrate(url);
    const id = await createByLabel(name, label);
    await forgetEdition();
    await migrate(url);
    for (const key of ['azure tit', 'cyanistes cyanus', 'lasurmeise'])
      expect(await oneOf(key)).toEqual({
        id,
        name: shown,
        scientific_name: 'Cyanistes cyanus',
        ebird_code: 'azutit2',
        group: 'bird',
        parent: 'Tits, Chickadees, and Titmice',
      });
  });

  it('values of an earlier edition, are corrected; values changed by a person, are kept', async () => {
    await migrate(url);
    await client.query(
      `UPDATE species SET scientific_name = 'Dryobates villosus' WHERE name = 'Hairy Woodpecker';
       UPDATE species SET scientific_name = 'My woodpecker' WHERE name = 'White-headed Woodpecker';
       DELETE FROM species_alias WHERE key IN ('common hoopoe', 'leuconotopicus villosus');
       UPDATE species SET name = 'Eurasian Hoopoe' WHERE name = 'Common Hoopoe';
       UPDATE species SET name = 'My Grosbeak', scientific_name = 'Coccothraustes vespertinus' WHERE name = 'Evening Grosbeak'`,
    );
    await forgetEdition();
    await migrate(url);
    expect(await oneOf('leuconotopicus villosus')).toMatchObject({
      name: 'Hairy Woodpecker',
      scientific_name: 'Leuconotopicus villosus',
    });
    expect(await oneOf('white headed woodpecker')).toMatchObject({ scientific_name: 'My woodpecker' });
    expect(await oneOf('common hoopoe')).toMatchObject({ name: 'Common Hoopoe', ebird_code: 'hoopoe' });
    expect(await rowsOf(`SELECT 1 FROM species WHERE scientific_name = 'Upupa epops'`)).toHaveLength(1);
    expect(await oneOf('evening grosbeak')).toMatchObject({
      name: 'My Grosbeak',
      scientific_name: 'Hesperiphona vespertina',
    });
  });

  it('a species merged by a person, stays merged and does not change the other', async () => {
    await migrate(url);
    await client.query(
      `WITH mine AS (INSERT INTO species (name) VALUES ('My Tits') RETURNING id),
         moved AS (UPDATE species_alias SET species_id = mine.id FROM mine
           WHERE species_id = (SELECT id FROM species WHERE name = 'Azure Tit'))
       UPDATE species SET merged_into = mine.id, parent_id = NULL FROM mine WHERE name = 'Azure Tit'`,
    );
    const before = await countSpecies();
    await forgetEdition();
    await migrate(url);
    expect(await oneOf('cyanistes cyanus')).toMatchObject({
      name: 'My Tits',
      scientific_name: null,
      parent: null,
    });
    expect(await countSpecies()).toEqual(before);
  });

  it('labels of noise and other animals stored as birds, move to their groups', async () => {
    await migrate(url);
    await client.query(`DELETE FROM species WHERE species_group = 'noise' AND rank <> 'root'`);
    await client.query(`DELETE FROM species WHERE species_group = 'noise'`);
    await createByLabel('Eastern Gray Squirrel', 'Eastern Gray Squirrel');
    const noise = await createByLabel('Noise', 'Noise');
    await createByLabel('Engine', 'Engine');
    expect(await oneOf('eastern gray squirrel')).toMatchObject({ group: 'bird', parent: null });
    await forgetEdition();
    await migrate(url);
    expect(await oneOf('eastern gray squirrel')).toMatchObject({ group: 'other_animal', parent: 'Squirrel' });
    expect(await oneOf('noise')).toMatchObject({ id: noise, group: 'noise', parent: null });
    expect(await oneOf('engine')).toMatchObject({ group: 'noise', parent: 'Noise' });
    expect(await oneOf('human vocal')).toMatchObject({ name: 'Human Voice', group: 'noise' });
    expect(await rowsOf(`SELECT rank FROM species WHERE id = $1`, [noise])).toEqual([{ rank: 'root' }]);
  });

  it('a species moved below another root, changes group with all its descendants', async () => {
    await migrate(url);
    const groups = async () =>
      (
        await rowsOf(`SELECT name, species_group AS "group" FROM species WHERE name IN ('Insect', 'Cricket', 'Say''s Trig')
        ORDER BY name`)
      ).map((row) => row.group);
    const move = (name: string) =>
      client.query(
        `UPDATE species SET parent_id = (SELECT id FROM species WHERE name = $1) WHERE name = 'Insect'`,
        [name],
      );
    await move('Noise');
    expect(await groups()).toEqual(['noise', 'noise', 'noise']);
    await move('Birds');
    expect(await groups()).toEqual(['bird', 'bird', 'bird']);
    await move('Other animals');
    expect(await groups()).toEqual(['other_animal', 'other_animal', 'other_animal']);
  });
});
