import type { Change } from '@birdhub/shared/db';
import type pg from 'pg';
import { type FoundLabel, findLabel, type KnownNames, type NamedSpecies } from './find-label.js';
import { readLabel } from './labels.js';
import { learnLabels } from './learn-labels.js';
import { guessRegion, REGIONS, type Region } from './region.js';
import type { StoredGroup } from './species-group.js';

/** A species as writers need it. */
export interface SpeciesNode extends NamedSpecies {
  readonly id: number;
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
  /** Returns the species that a detector's label means, and what else it says. */
  read(label: string): FoundLabel | undefined;
  /** Names and codes of the species. */
  readonly names: KnownNames;
  /** Returns the species itself or the one that it was merged into; undefined when there is none. */
  current(id: number): number | undefined;
}

/** What a directory does beside reading. */
export interface SpeciesDirectoryOptions {
  /** Called after species or names were added. */
  readonly onCreated?: () => void;
  /** Merges a species into another one when a label shows that they are the same bird. */
  readonly merge?: (speciesId: number, intoSpeciesId: number) => Promise<unknown>;
}

/** Resolves labels to species and holds the tree in memory until {@link SpeciesDirectory.forget}. */
export interface SpeciesDirectory {
  tree(): Promise<SpeciesTree>;
  /** Reads the tree as a transaction sees it, on the transaction's connection. */
  readTree(client: pg.ClientBase): Promise<SpeciesTree>;
  /** Returns the species of each label; unknown labels become species of a checklist, or new ones, inactive. */
  resolve(labels: Iterable<string>): Promise<Map<string, number>>;
  /** Makes the next read go to the database. */
  forget(): void;
}

/** A species in the order of {@link readTree}: objects of 2,000 species take three times as long to make and to parse. */
type NodeValues = [
  id: number,
  name: string,
  parentId: number | null,
  generic: boolean,
  group: StoredGroup,
  scientificName: string | null,
  ebirdCode: string | null,
];

async function readTree(pool: pg.Pool | pg.ClientBase): Promise<SpeciesTree> {
  const { rows } = await pool.query<{
    revision: number;
    nodes: NodeValues[] | null;
    aliases: [keys: string[] | null, speciesIds: number[] | null];
    merged: [id: number, into: number][] | null;
    place: StoredPlace | null;
  }>(
    `SELECT tree_revision AS revision,
       (SELECT json_agg(json_build_array(id, name, parent_id, generic, species_group, scientific_name, ebird_code))
        FROM species WHERE merged_into IS NULL) AS nodes,
       (SELECT json_build_array(json_agg(key), json_agg(species_id)) FROM species_alias) AS aliases,
       (SELECT json_agg(json_build_array(id, merged_into)) FROM species WHERE merged_into IS NOT NULL) AS merged,
       (SELECT json_build_object('region', value #>> '{general,region}', 'timezone', value #>> '{general,timezone}',
           'country', value #>> '{ebird,country}', 'latitude', value #>> '{secrets,latitude}',
           'longitude', value #>> '{secrets,longitude}')
        FROM setting WHERE key = 'hub') AS place
     FROM visit_rule`,
  );
  const [row] = rows;
  if (!row) throw new Error('the visit rule is missing from the database');
  const [keys, speciesIds] = row.aliases;
  return buildSpeciesTree({
    revision: row.revision,
    nodes: (row.nodes ?? []).map(toNode),
    aliases: new Map(keys?.map((key, index) => [key, speciesIds?.[index] as number])),
    merged: new Map(row.merged),
    region: regionOf(row.place),
  });
}

const toNode = ([
  id,
  name,
  parentId,
  generic,
  group,
  scientificName,
  ebirdCode,
]: NodeValues): SpeciesNode => ({
  ...{ id, name, parentId, generic, group, scientificName, ebirdCode },
});

/** What the stored settings say of the place. */
interface StoredPlace {
  readonly region: string | null;
  readonly timezone: string | null;
  readonly country: string | null;
  readonly latitude: string | null;
  readonly longitude: string | null;
}

function regionOf(place: StoredPlace | null): Region {
  const chosen = REGIONS.find((region) => region === place?.region);
  return (
    chosen ??
    guessRegion({
      latitude: place?.latitude ?? undefined,
      longitude: place?.longitude ?? undefined,
      country: place?.country ?? undefined,
      timezone: place?.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  );
}

/** Whether a change is one of the tree, or of settings, which name the region. */
export const concernsSpecies = (changes: readonly Change[]) =>
  changes.some(({ kind }) => kind === 'species' || kind === 'settings' || kind === 'everything');

/** Creates a directory on the database. */
export function createSpeciesDirectory(
  pool: pg.Pool,
  { onCreated, merge }: SpeciesDirectoryOptions = {},
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
    const missing = labels.filter((label) => !current.read(label)?.isLearned);
    if (missing.length) {
      const { isChanged, merges } = await learnLabels(pool, readTree, missing);
      if (isChanged) onCreated?.();
      forget();
      if (merge) for (const { from, into } of merges) await merge(from, into);
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
  /** Where the hub is. */
  readonly region: Region;
}

/** Detectors use some hundred labels, some list 20,000; the limit is for callers that send ever new ones. */
const maxRemembered = 30_000;

/** Remembers what labels were found to mean: to compare spellings takes longer than all else that a label goes through. */
function remembering(names: KnownNames): SpeciesTree['read'] {
  const found = new Map<string, FoundLabel>();
  return (label) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const read = findLabel(readLabel(label), names);
    if (found.size >= maxRemembered) found.clear();
    if (read?.isLearned) found.set(label, read);
    return read;
  };
}

/** Indexes species by parent and by spelling. */
function buildSpeciesTree({ revision, nodes: rows, aliases, merged, region }: TreeRows): SpeciesTree {
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
  const codes = new Map(
    rows.flatMap(({ id, ebirdCode }) => (ebirdCode === null ? [] : [[ebirdCode, id] as const])),
  );
  const names: KnownNames = {
    region,
    speciesOfKey: (key) => aliases.get(key),
    speciesOfCode: (code) => codes.get(code),
    node: (id) => nodes.get(id),
  };
  const read = remembering(names);
  const find = (label: string) => read(label)?.id;
  const current = (id: number) => merged.get(id) ?? (nodes.has(id) ? id : undefined);
  return {
    revision,
    nodes,
    ancestorsOf,
    childrenOf: (id) => children.get(id) ?? [],
    find,
    read,
    names,
    current,
  };
}
