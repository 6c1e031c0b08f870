import { inTransaction, lockKeys, queryRow } from '@birdhub/shared/db';
import type pg from 'pg';
import { type Assignment, assignLabels, keysOfReading, type LabelRoom } from './assign-labels.js';
import { findChecklistSpecies } from './checklist.store.js';
import type { SpeciesTree } from './directory.js';
import { readLabel } from './labels.js';
import { speciesKey } from './species-names.js';

/** The effect of learning labels. */
export interface LearntLabels {
  /** Whether species or names were added. */
  readonly isChanged: boolean;
  /** Species that turned out to be the same as another one. */
  readonly merges: readonly { readonly from: number; readonly into: number }[];
  /** Whether labels were not learnt, because there are too many species or names. */
  readonly isFull: boolean;
}

/** Limits of the species and names of a hub, all of which each process keeps in memory. */
const maxSpecies = 50_000;
const maxNames = 200_000;

const lock = `BEGIN; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;

/**
 * Stores unknown labels: as species of a checklist, as further names of known species, or as new species, as long as
 * there is room. A lock serialises this across processes.
 */
export function learnLabels(
  pool: pg.Pool,
  readTree: (client: pg.ClientBase) => Promise<SpeciesTree>,
  labels: readonly string[],
): Promise<LearntLabels> {
  return inTransaction(
    pool,
    async (client) => {
      const { names } = await readTree(client);
      const readings = labels.map(readLabel);
      const keys = readings.flatMap((reading) => keysOfReading(reading, names.region));
      const room = await findRoom(client);
      const assignment = assignLabels(readings, names, await findChecklistSpecies(client, keys), room);
      const { merges, isFull } = assignment;
      return { isChanged: await write(client, assignment), merges, isFull };
    },
    lock,
  );
}

async function findRoom(client: pg.ClientBase): Promise<LabelRoom> {
  const { species, names } = await queryRow<LabelRoom>(client, {
    text: `SELECT (SELECT count(*) FROM species) AS species, (SELECT count(*) FROM species_alias) AS names`,
  });
  return { species: maxSpecies - species, names: maxNames - names };
}

const insertSpecies = `
  INSERT INTO species (id, name, rank, scientific_name, ebird_code, parent_id)
  SELECT id, name, rank, "scientificName", "ebirdCode", "parentId"
  FROM jsonb_to_recordset($1) AS new (id int, name text, rank text, "scientificName" text, "ebirdCode" text, "parentId" int)`;

const completeSpecies = `
  UPDATE species SET name = new.name, scientific_name = new."scientificName", ebird_code = new."ebirdCode"
  FROM jsonb_to_recordset($1) AS new (id int, name text, "scientificName" text, "ebirdCode" text)
  WHERE species.id = new.id`;

const insertAliases = `
  INSERT INTO species_alias (key, species_id) SELECT * FROM unnest($1::text[], $2::int[]) ON CONFLICT DO NOTHING`;

/** Writes an assignment. Returns whether there was anything to write. */
async function write(client: pg.ClientBase, { created, completed, aliases }: Assignment): Promise<boolean> {
  if (!created.length && !completed.length && !aliases.size) return false;
  const { rows } = await client.query<{ id: number }>(
    `SELECT nextval(pg_get_serial_sequence('species', 'id'))::int AS id FROM generate_series(1, $1::int)`,
    [created.length],
  );
  const idOf = (placeholder: number) => (placeholder < 0 ? rows[-1 - placeholder]?.id : placeholder);
  const species = created.map((row) => ({
    ...row,
    id: idOf(row.id),
    parentId: row.parentId === null ? null : idOf(row.parentId),
  }));
  await client.query(insertSpecies, [JSON.stringify(species)]);
  await client.query(completeSpecies, [JSON.stringify(completed)]);
  await client.query(insertAliases, [[...aliases.keys()], [...aliases.values()].map(idOf)]);
  return true;
}

/** Returns the id of a family, which is created when missing; null without a family. */
export async function ensureFamily(
  pool: pg.Pool,
  family: string | null,
  familyName: string | null,
): Promise<number | null> {
  if (family === null) return null;
  return inTransaction(
    pool,
    async (client) => {
      const find = async () => {
        const { rows } = await client.query<{ id: number }>(
          'SELECT species_id AS id FROM species_alias WHERE key = $1',
          [speciesKey(family)],
        );
        return rows[0]?.id;
      };
      const known = await find();
      if (known !== undefined) return known;
      await client.query(
        `WITH added AS (
           INSERT INTO species (name, rank, scientific_name, parent_id)
           SELECT $1, 'family', $2, (SELECT species_id FROM species_alias WHERE key = 'birds') RETURNING id)
         INSERT INTO species_alias (key, species_id) SELECT $3, id FROM added`,
        [familyName ?? family, family, speciesKey(family)],
      );
      return (await find()) ?? null;
    },
    lock,
  );
}
