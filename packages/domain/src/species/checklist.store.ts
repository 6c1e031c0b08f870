import { inTransaction, lockKeys } from '@birdhub/shared/db';
import type pg from 'pg';
import type { ChecklistSpecies, KnownChecklists } from './assign-labels.js';
import {
  type Checklist,
  type ChecklistName,
  type ChecklistRow,
  type ChecklistSource,
  type ChecklistTitle,
  checklistTitles,
  digestOf,
} from './checklist-file.js';
import { isSameEpithet } from './earlier-names.js';
import { speciesKey } from './species-names.js';

/** A loaded checklist. */
export interface LoadedChecklist extends ChecklistTitle {
  readonly source: ChecklistSource;
  readonly speciesCount: number;
  readonly languages: readonly string[];
  readonly loadedAt: Date;
}

/** Lists the loaded checklists. */
export async function listChecklists(pool: pg.Pool): Promise<LoadedChecklist[]> {
  const { rows } = await pool.query<Omit<LoadedChecklist, keyof ChecklistTitle>>(
    `SELECT source, species_count AS "speciesCount", languages, loaded_at AS "loadedAt" FROM checklist ORDER BY source`,
  );
  return rows.map((row) => ({ ...checklistTitles[row.source], ...row }));
}

const lock = `BEGIN; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;

/**
 * Replaces the checklist of the same source. Returns whether the content changed. Loading the same content again changes
 * only its date, and only if `isFresh` is true, that is if it comes from the publisher.
 */
export function loadChecklist(
  pool: pg.Pool,
  checklist: Checklist,
  { isFresh = false }: { readonly isFresh?: boolean } = {},
): Promise<boolean> {
  const { source, rows } = checklist;
  const digest = digestOf(checklist);
  const languages = [...new Set(rows.flatMap(({ names }) => names.map(({ language }) => language)))].sort();
  return inTransaction(
    pool,
    async (client) => {
      const known = await client.query(
        'UPDATE checklist SET loaded_at = CASE WHEN $3 THEN now() ELSE loaded_at END WHERE source = $1 AND digest = $2',
        [source, digest, isFresh],
      );
      if (known.rowCount) return false;
      await client.query('DELETE FROM checklist WHERE source = $1', [source]);
      await client.query(
        'INSERT INTO checklist (source, species_count, languages, digest) VALUES ($1, $2, $3, $4)',
        [source, rows.length, languages, digest],
      );
      for (let at = 0; at < rows.length; at += rowsPerStatement) {
        const slice = rows.slice(at, at + rowsPerStatement).map(toRow);
        await client.query(insertSpecies, [source, JSON.stringify(slice)]);
      }
      return true;
    },
    lock,
  );
}

/** Removes a checklist; species that were created from it stay. Returns whether it existed. */
export async function removeChecklist(pool: pg.Pool, source: ChecklistSource): Promise<boolean> {
  const { rowCount } = await pool.query('DELETE FROM checklist WHERE source = $1', [source]);
  return Boolean(rowCount);
}

const rowsPerStatement = 2_000;

const insertSpecies = `
  INSERT INTO checklist_species (source, scientific_name, names, keys, ebird_code, "order", family, family_name, status)
  SELECT $1, "scientificName", names, keys, "ebirdCode", "order", family, "familyName", status
  FROM json_to_recordset($2) AS row ("scientificName" text, names jsonb, keys text[], "ebirdCode" text, "order" text,
    family text, "familyName" text, status text)`;

function toRow(row: ChecklistRow) {
  const keys = [row.scientificName, ...row.names.map(({ name }) => name)].map(speciesKey);
  return { ...row, keys: [...new Set(keys)] };
}

interface StoredSpecies {
  readonly source: ChecklistSource;
  readonly scientificName: string;
  readonly names: readonly ChecklistName[];
  readonly keys: readonly string[];
  readonly ebirdCode: string | null;
  readonly family: string | null;
  readonly familyName: string | null;
}

const findByKeys = `
  SELECT source, scientific_name AS "scientificName", names, keys, ebird_code AS "ebirdCode", family,
    family_name AS "familyName"
  FROM checklist_species WHERE keys && $1::text[] ORDER BY source, scientific_name`;

/** Finds species of the checklists by keys, including the other names of those found. */
export async function findChecklistSpecies(
  client: pg.ClientBase | pg.Pool,
  keys: readonly string[],
): Promise<KnownChecklists> {
  const first = await findRows(client, keys);
  const further = [...new Set(first.flatMap((row) => row.keys))];
  return indexChecklists(first.length ? await findRows(client, further) : []);
}

async function findRows(client: pg.ClientBase | pg.Pool, keys: readonly string[]): Promise<StoredSpecies[]> {
  if (!keys.length) return [];
  const { rows } = await client.query<StoredSpecies>({
    name: 'checklist-species',
    text: findByKeys,
    values: [[...new Set(keys)]],
  });
  return rows;
}

/** Authorities by precedence; eBird comes first, because the catalogue uses its names and codes. */
const authorities = ['ebird', 'avilist', 'clements', 'birdlife', 'ioc'] as const;

/** Returns the precedence of a name, lowest first: scientific names, English ones by authority, other languages. */
function rankOf({ language, authority }: ChecklistName): number {
  const rank = 1 + authorities.indexOf(authority);
  return language === 'en' ? rank : rank + authorities.length;
}

/** Indexes species of checklists by name, without names that are ambiguous at the highest precedence. */
export function indexChecklists(rows: readonly Omit<StoredSpecies, 'keys'>[]): KnownChecklists {
  const best = new Map<string, { rank: number; species: ChecklistSpecies | undefined }>();
  const add = (key: string, rank: number, species: ChecklistSpecies) => {
    const known = best.get(key);
    if (!known || rank < known.rank) best.set(key, { rank, species });
    else if (rank === known.rank && known.species && !isSameSpecies(known.species, species))
      best.set(key, { rank, species: undefined });
  };
  for (const source of ['ebird', 'avilist', 'ioc'] as const) {
    for (const row of rows) {
      if (row.source !== source) continue;
      const species = toSpecies(row);
      add(speciesKey(row.scientificName), 0, species);
      for (const name of row.names) add(speciesKey(name.name), rankOf(name), species);
    }
  }
  return { speciesOfKey: (key) => best.get(key)?.species };
}

/** Returns whether two entries are the same bird: the same name or code, or the same epithet in the same family. */
function isSameSpecies(one: ChecklistSpecies, other: ChecklistSpecies): boolean {
  if (one.scientificName === other.scientificName) return true;
  if (one.ebirdCode !== null && other.ebirdCode !== null) return one.ebirdCode === other.ebirdCode;
  return one.family === other.family && isSameEpithet(one.scientificName, other.scientificName);
}

function toSpecies(row: Omit<StoredSpecies, 'keys'>): ChecklistSpecies {
  const english = row.names.filter(({ language }) => language === 'en');
  const shown = ['ebird', 'clements', 'avilist', 'ioc', 'birdlife']
    .map((authority) => english.find((name) => name.authority === authority))
    .find((name) => name !== undefined);
  const keys = [row.scientificName, ...row.names.map(({ name }) => name)].map(speciesKey);
  return {
    source: row.source,
    scientificName: row.scientificName,
    name: shown?.name ?? row.scientificName,
    ebirdCode: row.ebirdCode,
    family: row.family,
    familyName: row.familyName,
    keys: [...new Set(keys)],
  };
}
