import { inTransaction, lockKeys } from '@birdhub/shared/db';
import type pg from 'pg';
import { normaliseSpeciesName, speciesKey } from './species-names.js';
import { buildSpeciesTree, type SpeciesNode, type SpeciesTree } from './species-tree.js';

/** Resolves labels to species and holds the tree in memory until {@link SpeciesDirectory.forget}. */
export interface SpeciesDirectory {
  tree(): Promise<SpeciesTree>;
  /** Reads the tree as a transaction sees it, on the transaction's connection. */
  readTree(client: pg.ClientBase): Promise<SpeciesTree>;
  /** Returns the species of each label; unknown labels become new, inactive species. */
  resolve(labels: Iterable<string>): Promise<Map<string, number>>;
  /** Makes the next read go to the database. */
  forget(): void;
}

async function readTree(pool: pg.Pool | pg.ClientBase): Promise<SpeciesTree> {
  const { rows } = await pool.query<{
    revision: number;
    nodes: SpeciesNode[] | null;
    aliases: Record<string, number> | null;
    merged: Record<string, number> | null;
  }>(
    `SELECT tree_revision AS revision,
       (SELECT json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id, 'generic', generic))
        FROM species WHERE merged_into IS NULL) AS nodes,
       (SELECT json_object_agg(key, species_id) FROM species_alias) AS aliases,
       (SELECT json_object_agg(id, merged_into) FROM species WHERE merged_into IS NOT NULL) AS merged
     FROM visit_rule`,
  );
  const [row] = rows;
  if (!row) throw new Error('the visit rule is missing from the database');
  const merged = Object.entries(row.merged ?? {}).map(([id, into]) => [Number(id), into] as const);
  return buildSpeciesTree({
    revision: row.revision,
    nodes: row.nodes ?? [],
    aliases: new Map(Object.entries(row.aliases ?? {})),
    merged: new Map(merged),
  });
}

const addSpecies = `
  WITH added AS (
    INSERT INTO species (name) SELECT $1
    WHERE NOT EXISTS (SELECT 1 FROM species_alias WHERE key = $2) RETURNING id)
  INSERT INTO species_alias (key, species_id) SELECT $2, id FROM added`;

async function createSpecies(pool: pg.Pool, labels: readonly string[]): Promise<void> {
  const lock = `BEGIN; SELECT pg_advisory_xact_lock(${lockKeys.speciesNames})`;
  await inTransaction(
    pool,
    async (client) => {
      for (const label of labels)
        await client.query(addSpecies, [normaliseSpeciesName(label), speciesKey(label)]);
    },
    lock,
  );
}

/** Creates a directory on the database; `onCreated` is called after new species were committed. */
export function createSpeciesDirectory(
  pool: pg.Pool,
  onCreated: () => void = () => undefined,
): SpeciesDirectory {
  let kept: Promise<SpeciesTree> | undefined;
  const forget = () => {
    kept = undefined;
  };
  const tree = async () => {
    kept ??= readTree(pool);
    try {
      return await kept;
    } catch (error) {
      forget();
      throw error;
    }
  };

  async function resolve(given: Iterable<string>): Promise<Map<string, number>> {
    const labels = [...new Set(given)];
    let current = await tree();
    const missing = labels.filter((label) => current.find(label) === undefined);
    if (missing.length) {
      await createSpecies(pool, missing);
      onCreated();
      forget();
      current = await tree();
    }
    return new Map(
      labels.map((label) => {
        const id = current.find(label);
        if (id === undefined) throw new Error(`the species of label ${label} was not created`);
        return [label, id];
      }),
    );
  }

  return { tree, readTree, resolve, forget };
}

/** Returns SQL for the species that a parameter names or the one that it was merged into; null when there is none. */
export const currentSpeciesSql = (species: string): string =>
  `(SELECT coalesce(merged_into, id) FROM species WHERE id = ${species}::bigint)`;
