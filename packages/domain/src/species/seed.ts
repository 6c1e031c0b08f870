import { createHash } from 'node:crypto';
import type pg from 'pg';
import { catalogue } from './catalogue.js';
import { GENERIC_SPECIES, speciesKey } from './species-names.js';

interface Seed {
  readonly name: string;
  readonly key: string;
  readonly rank: 'root' | 'family' | 'species' | 'form';
  readonly generic: boolean;
  readonly scientific_name: string | null;
  readonly ebird_code: string | null;
  readonly parent_key: string | null;
  readonly alias_keys: string[];
}

type SeedInput = { name: string; rank: Seed['rank']; parent?: string; aliases?: readonly string[] } & {
  scientificName?: string | undefined;
  ebirdCode?: string | undefined;
  generic?: boolean;
};

const rootName = 'Birds';

function seed({
  name,
  rank,
  parent,
  aliases = [],
  scientificName,
  ebirdCode,
  generic = false,
}: SeedInput): Seed {
  const spellings = [name, ...aliases, ...(scientificName ? [scientificName] : [])];
  return {
    name,
    rank,
    generic,
    key: speciesKey(name),
    scientific_name: scientificName ?? null,
    ebird_code: ebirdCode ?? null,
    parent_key: parent ? speciesKey(parent) : null,
    alias_keys: [...new Set(spellings.map(speciesKey))],
  };
}

/** Returns the catalogue level by level, parents before children. */
function levels(): Seed[][] {
  const { families, species, forms } = catalogue();
  const familyNames = new Map(families.map((family) => [family.name, family.englishName]));
  const generic = GENERIC_SPECIES.filter((name) => name !== rootName);
  return [
    [seed({ name: rootName, rank: 'root', generic: true })],
    [
      ...generic.map((name) => seed({ name, rank: 'species', parent: rootName, generic: true })),
      ...families.map((family) =>
        seed({ name: family.englishName, rank: 'family', parent: rootName, scientificName: family.name }),
      ),
    ],
    species.map((row) => seed({ ...row, rank: 'species', parent: familyNames.get(row.family) ?? rootName })),
    forms.map((form) => seed({ ...form, rank: 'form' })),
  ];
}

/** Null when a person has given the code to another species. */
const freeCode = `CASE WHEN NOT EXISTS (SELECT 1 FROM species taken WHERE taken.ebird_code = seed.ebird_code)
  THEN seed.ebird_code END`;

const insertMissing = `
  INSERT INTO species (name, rank, generic, scientific_name, ebird_code, parent_id)
  SELECT seed.name, seed.rank, seed.generic, seed.scientific_name, ${freeCode}, parent.species_id
  FROM jsonb_to_recordset($1) AS seed (name text, key text, rank text, generic boolean, scientific_name text,
                                       ebird_code text, parent_key text)
  LEFT JOIN species_alias parent ON parent.key = seed.parent_key
  WHERE NOT EXISTS (SELECT 1 FROM species_alias known WHERE known.key = seed.key)
  RETURNING id, name`;

const insertKeys = `
  INSERT INTO species_alias (key, species_id)
  SELECT own.key, species_id FROM jsonb_to_recordset($1) AS own (key text, species_id integer)`;

/** Also for species that existed before: an edition may bring new spellings. */
const insertAliases = `
  INSERT INTO species_alias (key, species_id)
  SELECT alias.key, own.species_id FROM jsonb_to_recordset($1) AS alias (key text, own_key text)
  JOIN species_alias own ON own.key = alias.own_key
  ON CONFLICT (key) DO NOTHING`;

/** Completes species that existed before the catalogue named them; values set by users stay. */
const completeKnown = `
  UPDATE species SET
    scientific_name = coalesce(species.scientific_name, seed.scientific_name),
    ebird_code = coalesce(species.ebird_code, ${freeCode})
  FROM jsonb_to_recordset($1) AS seed (key text, scientific_name text, ebird_code text)
  JOIN species_alias own ON own.key = seed.key
  WHERE species.id = own.species_id
    AND (species.scientific_name IS NULL AND seed.scientific_name IS NOT NULL
      OR species.ebird_code IS NULL AND seed.ebird_code IS NOT NULL)`;

async function seedLevel(client: pg.ClientBase, seeds: readonly Seed[]): Promise<void> {
  const input = JSON.stringify(seeds);
  const { rows } = await client.query<{ id: number; name: string }>(insertMissing, [input]);
  const keyOf = new Map(seeds.map((one) => [one.name, one.key]));
  const keys = rows.map(({ id, name }) => ({ key: keyOf.get(name), species_id: id }));
  await client.query(insertKeys, [JSON.stringify(keys)]);
  const aliases = seeds.flatMap(({ key, alias_keys }) =>
    alias_keys.map((alias) => ({ key: alias, own_key: key })),
  );
  await client.query(insertAliases, [JSON.stringify(aliases)]);
  await client.query(completeKnown, [input]);
}

/** Adds the species of the catalogue that the database lacks, once after each change of the catalogue. */
export async function seedCatalogue(client: pg.ClientBase): Promise<void> {
  const seeds = levels();
  const edition = createHash('sha256').update(JSON.stringify(seeds)).digest('hex');
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM setting WHERE key = 'catalogue'`);
  if (rows[0]?.value === edition) return;
  await client.query('BEGIN');
  try {
    for (const level of seeds) await seedLevel(client, level);
    await client.query(
      `INSERT INTO setting (key, value, version) VALUES ('catalogue', to_jsonb($1::text), 1)
       ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value, version = setting.version + 1, updated_at = now()`,
      [edition],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
