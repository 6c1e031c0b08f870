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
  /** Makes the next migration look at the catalogue as a new edition of it would. */
  const forgetEdition = () => client.query(`DELETE FROM setting WHERE key = 'catalogue'`);

  it('an empty database, has every table and the catalogue; a second time changes nothing', async () => {
    const first = await migrate(url);
    const species = await countSpecies();
    expect(first.applied.length).toBeGreaterThan(0);
    expect(await migrate(url)).toEqual({ applied: [] });
    expect(await countSpecies()).toEqual(species);
    expect(species[0]?.species).toBeGreaterThan(catalogue().species.length);
    const ledger = await rowsOf('SELECT migration_name AS name FROM _prisma_migrations ORDER BY name');
    expect(ledger.map((row) => row.name)).toEqual(first.applied);
  });

  it('three at once, wait for each other and apply each migration once', async () => {
    const answers = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    const applied = answers.flatMap((answer) => answer.applied);
    expect(new Set(applied).size).toBe(applied.length);
    const ledger = await rowsOf('SELECT migration_name FROM _prisma_migrations');
    expect(ledger).toHaveLength(applied.length);
  });

  it('a species that a processor made known before, is completed under its id and known by all its names', async () => {
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

  it('an eBird code that a person gave to another species, stays there and stops nothing', async () => {
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
});
