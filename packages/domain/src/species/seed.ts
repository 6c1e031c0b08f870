import { createHash } from 'node:crypto';
import { queryRow } from '@birdhub/shared/db';
import type pg from 'pg';
import { type Catalogue, catalogueText, parseCatalogue } from './catalogue.js';
import { rootNames, type StoredGroup, storedGroups } from './species-group.js';
import { genericLabels, genericSpecies, speciesKey } from './species-names.js';

/** Increment to seed the same catalogue again after a change of the code. */
const seedVersion = 3;

/** Values of earlier editions of the catalogue that are corrected unless a person changed them. */
const corrected: Readonly<Record<string, string>> = {
  'Dryobates villosus': 'Leuconotopicus villosus',
  'Dryobates albolarvatus': 'Leuconotopicus albolarvatus',
  'Coccothraustes vespertinus': 'Hesperiphona vespertina',
  'Eurasian Hoopoe': 'Common Hoopoe',
  'Sylviid Warblers': 'Sylviid Warblers and Allies',
};

interface Seed {
  readonly name: string;
  readonly key: string;
  readonly rank: 'root' | 'family' | 'species' | 'form';
  readonly generic: boolean;
  readonly group: StoredGroup;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  readonly parentKey: string | null;
  /** The keys of all its names. */
  readonly keys: readonly string[];
}

interface SeedInput {
  readonly name: string;
  readonly rank: Seed['rank'];
  readonly parent?: string;
  readonly aliases?: readonly string[];
  readonly scientificName?: string | undefined;
  readonly ebirdCode?: string | undefined;
  readonly translations?: Readonly<Partial<Record<string, string>>>;
  readonly generic?: boolean;
  readonly group?: StoredGroup;
}

function createSeed(input: SeedInput): Seed {
  const { name, rank, parent, aliases = [], generic = false, group = 'bird' } = input;
  const { scientificName, ebirdCode, translations = {} } = input;
  // The keys of translated family names may equal those of species: Eisvögel, Eisvogel.
  const translated = rank === 'family' ? [] : Object.values(translations);
  const names = [name, scientificName, ...aliases, ...translated];
  return {
    name,
    rank,
    generic,
    group,
    key: speciesKey(name),
    scientificName: scientificName ?? null,
    ebirdCode: ebirdCode || null,
    parentKey: parent ? speciesKey(parent) : null,
    keys: [...new Set(names.flatMap((one) => (one ? [speciesKey(one)] : [])))],
  };
}

/** Returns the rows of the catalogue, parents before children. */
function seedsOf({ families, species, forms, animals, noises }: Catalogue): Seed[] {
  const familyNames = new Map(families.map((family) => [family.name, family.englishName]));
  const generic = genericSpecies.filter((name) => name !== rootNames.bird);
  return [
    ...storedGroups.map((group) =>
      createSeed({ name: rootNames[group], rank: 'root', generic: group === 'bird', group }),
    ),
    ...generic.map((name) =>
      createSeed({
        name,
        rank: 'species',
        parent: rootNames.bird,
        generic: true,
        aliases: genericLabels[name] ?? [],
      }),
    ),
    ...families.map((family) =>
      createSeed({
        ...family,
        name: family.englishName,
        rank: 'family',
        parent: rootNames.bird,
        scientificName: family.name,
      }),
    ),
    ...species.map((row) =>
      createSeed({ ...row, rank: 'species', parent: familyNames.get(row.family) ?? rootNames.bird }),
    ),
    ...forms.map((form) => createSeed({ ...form, rank: 'form' })),
    ...animals.map((row) => createSeed({ ...row, rank: 'species', group: 'other_animal' })),
    ...noises.map((row) => createSeed({ ...row, rank: 'species', group: 'noise' })),
  ];
}

/** A species of the database. */
interface Known {
  readonly id: number;
  name: string;
  rank: string;
  readonly generic: boolean;
  group: StoredGroup;
  scientificName: string | null;
  ebirdCode: string | null;
  parentId: number | null;
}

/** The stored species, and the changes to be written. */
class Seeding {
  readonly inserted: Known[] = [];
  readonly updated = new Map<number, Known>();
  readonly aliases = new Map<string, number>();
  /** Ids of stored species that get a new parent. */
  readonly moved: number[] = [];
  readonly #species: Map<number, Known>;
  readonly #keys: Map<string, number>;
  readonly #codes: Set<string>;
  readonly #mergeTargets: ReadonlySet<number>;
  #nextId: number;

  constructor({ species, keys, codes, mergeTargets, nextId }: StoredSpecies) {
    this.#species = new Map(species.map((row) => [row.id, row]));
    this.#keys = new Map(keys.map(({ key, id }) => [key, id]));
    this.#codes = new Set(codes);
    this.#mergeTargets = new Set(mergeTargets);
    this.#nextId = nextId;
  }

  add(seed: Seed): void {
    const known = this.#find(seed);
    const id = known ? this.#complete(known, seed) : this.#insert(seed);
    for (const key of seed.keys) {
      if (this.#keys.has(key)) continue;
      this.#keys.set(key, id);
      this.aliases.set(key, id);
    }
  }

  #find(seed: Seed): Known | undefined {
    const own = this.#known(seed.key);
    if (own) return own;
    const former = Object.entries(corrected).find(([, now]) => now === seed.name);
    const renamed = former && this.#known(speciesKey(former[0]));
    if (renamed) return renamed;
    return seed.keys.map((key) => this.#known(key)).find((row) => row && isNameless(row));
  }

  #known(key: string): Known | undefined {
    const id = this.#keys.get(key);
    return id === undefined ? undefined : this.#species.get(id);
  }

  #parentOf({ parentKey }: Seed): number | null {
    return parentKey === null ? null : (this.#keys.get(parentKey) ?? null);
  }

  #takeCode({ ebirdCode }: Seed): string | null {
    if (ebirdCode === null || this.#codes.has(ebirdCode)) return null;
    this.#codes.add(ebirdCode);
    return ebirdCode;
  }

  #insert(seed: Seed): number {
    const { name, rank, generic, group, scientificName } = seed;
    const id = this.#nextId;
    this.#nextId += 1;
    const parentId = this.#parentOf(seed);
    const row = { id, name, rank, generic, group, scientificName, ebirdCode: this.#takeCode(seed), parentId };
    this.inserted.push(row);
    this.#species.set(id, row);
    return id;
  }

  /** Completes a species that existed before the catalogue listed it; values set by people are kept. */
  #complete(row: Known, seed: Seed): number {
    // A species that a person merged counts as its target.
    if (this.#mergeTargets.has(row.id) && !seed.keys.includes(speciesKey(row.name))) return row.id;
    const before = { ...row };
    if (seed.rank === 'root') Object.assign(row, { rank: 'root', group: seed.group });
    else if (isNameless(row)) {
      row.parentId = this.#parentOf(seed);
      if (seed.scientificName !== null && speciesKey(row.name) === speciesKey(seed.scientificName))
        row.name = seed.name;
      if (row.parentId !== null) this.moved.push(row.id);
    }
    if (corrected[row.name] === seed.name) row.name = seed.name;
    if (row.scientificName === null || corrected[row.scientificName] === seed.scientificName)
      row.scientificName = seed.scientificName;
    row.ebirdCode ??= this.#takeCode(seed);
    const isChanged = (Object.keys(before) as (keyof Known)[]).some((field) => before[field] !== row[field]);
    if (isChanged) this.updated.set(row.id, row);
    return row.id;
  }
}

/** Returns whether a species was created from a label, of which only names are known. */
function isNameless({ rank, generic, parentId, scientificName, ebirdCode }: Known): boolean {
  return rank === 'species' && !generic && parentId === null && scientificName === null && ebirdCode === null;
}

/** The species of a database. */
interface StoredSpecies {
  readonly species: readonly Known[];
  readonly keys: readonly { readonly key: string; readonly id: number }[];
  readonly codes: readonly string[];
  /** Species that others were merged into. */
  readonly mergeTargets: readonly number[];
  readonly nextId: number;
}

const readSpecies = `
  SELECT
    (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'rank', rank, 'generic', generic,
      'group', species_group, 'scientificName', scientific_name, 'ebirdCode', ebird_code, 'parentId', parent_id)), '[]')
     FROM species WHERE merged_into IS NULL) AS species,
    (SELECT coalesce(json_agg(json_build_object('key', key, 'id', species_id)), '[]') FROM species_alias) AS keys,
    (SELECT coalesce(json_agg(ebird_code), '[]') FROM species WHERE ebird_code IS NOT NULL) AS codes,
    (SELECT coalesce(json_agg(DISTINCT merged_into), '[]') FROM species WHERE merged_into IS NOT NULL) AS "mergeTargets",
    (SELECT coalesce(max(id), 0) + 1 FROM species) AS "nextId"`;

const insertSpecies = `
  INSERT INTO species (id, name, rank, generic, scientific_name, ebird_code, parent_id, species_group)
  SELECT id, name, rank, generic, "scientificName", "ebirdCode", "parentId", "group"
  FROM jsonb_to_recordset($1) AS seed (id integer, name text, rank text, generic boolean, "scientificName" text,
    "ebirdCode" text, "parentId" integer, "group" text)`;

const updateSpecies = `
  UPDATE species SET name = seed.name, rank = seed.rank, species_group = seed."group",
    scientific_name = "scientificName", ebird_code = "ebirdCode"
  FROM jsonb_to_recordset($1) AS seed (id integer, name text, rank text, "group" text, "scientificName" text,
    "ebirdCode" text)
  WHERE species.id = seed.id`;

const moveSpecies = `
  UPDATE species SET parent_id = "parentId"
  FROM jsonb_to_recordset($1) AS seed (id integer, "parentId" integer) WHERE species.id = seed.id`;

const insertAliases = `
  INSERT INTO species_alias (key, species_id)
  SELECT alias.key, alias.id FROM jsonb_to_recordset($1) AS alias (key text, id integer)`;

/** Marks visits as outdated, because an audio-only run of a new ancestor may now belong to a visit of the species. */
const outdateVisits = `
  UPDATE visit_rule SET tree_revision = tree_revision + 1, is_outdated = is_outdated OR EXISTS (
    WITH RECURSIVE above (id) AS (
      SELECT parent_id FROM species WHERE id = ANY ($1) AND parent_id IS NOT NULL
      UNION SELECT parent_id FROM above JOIN species USING (id) WHERE parent_id IS NOT NULL)
    SELECT FROM species_visit WHERE video_count = 0 AND species_id IN (SELECT id FROM above))`;

async function writeSeeding(
  client: pg.ClientBase,
  { inserted, updated, aliases, moved }: Seeding,
): Promise<void> {
  if (updated.size) await client.query(updateSpecies, [JSON.stringify([...updated.values()])]);
  if (inserted.length) {
    await client.query(insertSpecies, [JSON.stringify(inserted)]);
    await client.query(
      `SELECT setval(pg_get_serial_sequence('species', 'id'), (SELECT max(id) FROM species))`,
    );
  }
  const rows = moved.map((id) => ({ id, parentId: updated.get(id)?.parentId }));
  if (rows.length) {
    await client.query(moveSpecies, [JSON.stringify(rows)]);
    await client.query(outdateVisits, [moved]);
  }
  const keys = [...aliases].map(([key, id]) => ({ key, id }));
  if (keys.length) await client.query(insertAliases, [JSON.stringify(keys)]);
}

/**
 * Adds missing species of the catalogue, once after each change of the catalogue. Changes by people are kept; a species
 * that a detector created under one of the names is completed.
 */
export async function seedCatalogue(client: pg.ClientBase): Promise<void> {
  const text = catalogueText();
  const edition = createHash('sha256').update(`${seedVersion}\n${text}`).digest('hex');
  const { rows } = await client.query<{ value: string }>(`SELECT value FROM setting WHERE key = 'catalogue'`);
  if (rows[0]?.value === edition) return;
  await client.query('BEGIN');
  try {
    const seeding = new Seeding(await queryRow<StoredSpecies>(client, { text: readSpecies }));
    for (const seed of seedsOf(parseCatalogue(text))) seeding.add(seed);
    await writeSeeding(client, seeding);
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
