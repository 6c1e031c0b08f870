import { inTransaction, lockKeys } from '@birdhub/shared/db';
import type pg from 'pg';
import type { StoredGroup } from './species-group.js';
import { labelCandidates, normaliseSpeciesName, speciesKey } from './species-names.js';

/** A species as writers need it. */
export interface SpeciesNode {
  readonly id: number;
  readonly name: string;
  readonly parentId: number | null;
  readonly generic: boolean;
  readonly group: StoredGroup;
}

/** The species tree and every spelling, as one process holds them. */
export interface SpeciesTree {
  /** Increases with each change of parents and each merge; visits made under another revision may be wrong. */
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, SpeciesNode>;
  /** Returns the parent, its parent and so on to the root. */
  ancestorsOf(id: number): number[];
  childrenOf(id: number): readonly number[];
  /** Returns the species that a detector's label means. */
  find(label: string): number | undefined;
  /** Returns the species itself or the one that it was merged into; undefined when there is none. */
  current(id: number): number | undefined;
}

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
       (SELECT json_agg(json_build_object('id', id, 'name', name, 'parentId', parent_id, 'generic', generic,
           'group', species_group))
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

/** The rows that a tree is built from. */
interface TreeRows {
  readonly revision: number;
  readonly nodes: readonly SpeciesNode[];
  /** Spelling to species. */
  readonly aliases: ReadonlyMap<string, number>;
  /** Merged species, to the one that they are now; they are not among the nodes. */
  readonly merged: ReadonlyMap<number, number>;
}

/** Detectors use some hundred labels; the limit is for callers that send ever new ones. */
const maxRemembered = 2_000;

/** Remembers what labels were found to mean: to compare spellings takes longer than all else that a label goes through. */
function remembering(find: (label: string) => number | undefined): SpeciesTree['find'] {
  const found = new Map<string, number>();
  return (label) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const id = find(label);
    if (found.size >= maxRemembered) found.clear();
    if (id !== undefined) found.set(label, id);
    return id;
  };
}

/** Indexes species by parent and by spelling. */
function buildSpeciesTree({ revision, nodes: rows, aliases, merged }: TreeRows): SpeciesTree {
  const nodes = new Map(rows.map((row) => [row.id, row]));
  const children = new Map<number, number[]>();
  for (const { id, parentId } of rows) {
    if (parentId === null) continue;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  const ancestorsOf = (id: number) => {
    const ancestors: number[] = [];
    for (let at = nodes.get(id)?.parentId; at != null; at = nodes.get(at)?.parentId) ancestors.push(at);
    return ancestors;
  };
  const find = remembering((label) => {
    for (const key of labelCandidates(label)) {
      const id = aliases.get(key);
      if (id !== undefined) return id;
    }
    return undefined;
  });
  const current = (id: number) => merged.get(id) ?? (nodes.has(id) ? id : undefined);
  return { revision, nodes, ancestorsOf, childrenOf: (id) => children.get(id) ?? [], find, current };
}
