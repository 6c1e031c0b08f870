import type { Change, ChangeHandlers } from '@birdhub/shared/db';
import type pg from 'pg';
import { type FoundLabel, findLabel, type KnownNames, type NamedSpecies } from './find-label.js';
import { readLabel } from './labels.js';
import { learnLabels } from './learn-labels.js';
import { guessRegion, type Region, regionNames } from './region.js';
import type { StoredGroup } from './species-group.js';

/** The properties of a species that writers need. */
export interface SpeciesNode extends NamedSpecies {
  readonly id: number;
  readonly group: StoredGroup;
}

/** The species tree and all spellings, cached in memory. */
export interface SpeciesTree {
  /** Incremented by each change of a parent and each merge; visits of another revision may be wrong. */
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, SpeciesNode>;
  /** Returns the ancestors from the parent to the root. */
  ancestorsOf(id: number): number[];
  childrenOf(id: number): readonly number[];
  /** Returns the species that a detector's label means. */
  find(label: string): number | undefined;
  /** Returns the species of a detector's label and how it was found. */
  read(label: string): FoundLabel | undefined;
  /** Names and codes of the species. */
  readonly names: KnownNames;
  /** Returns the species itself or its merge target; undefined for an unknown id. */
  current(id: number): number | undefined;
}

/** Callbacks of a directory. */
export interface SpeciesDirectoryOptions {
  /** Called after species or names were added. */
  readonly onCreated?: () => void;
  /** Called to merge species that a label identifies as the same bird. */
  readonly merge?: (speciesId: number, intoSpeciesId: number) => Promise<unknown>;
  /** Called for the first label that was not learnt, because there are too many species or names. */
  readonly onFull?: () => void;
}

/** Resolves labels to species; caches the tree until {@link SpeciesDirectory.forget}. */
export interface SpeciesDirectory {
  tree(): Promise<SpeciesTree>;
  /** Reads the tree within a transaction. */
  readTree(client: pg.ClientBase): Promise<SpeciesTree>;
  /**
   * Returns the species of each label; for unknown labels, species are created, from a checklist if it lists them. When
   * there are too many species, unknown labels mean a bird of unknown species.
   */
  resolve(labels: Iterable<string>): Promise<Map<string, number>>;
  /** Drops the cached tree. */
  forget(): void;
}

/** A species as a tuple, because 2,000 JSON objects take three times as long to create and to parse. */
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
  id,
  name,
  parentId,
  generic,
  group,
  scientificName,
  ebirdCode,
});

/** The location in the stored settings. */
interface StoredPlace {
  readonly region: string | null;
  readonly timezone: string | null;
  readonly country: string | null;
  readonly latitude: string | null;
  readonly longitude: string | null;
}

function regionOf(place: StoredPlace | null): Region {
  const chosen = regionNames.find((region) => region === place?.region);
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

/** Returns whether changes concern the tree, or the settings, which determine the region. */
const concernsSpecies = (changes: readonly Change[]) =>
  changes.some(({ kind }) => kind === 'species' || kind === 'settings' || kind === 'everything');

/** Returns change handlers that drop the cached species tree. */
export const forgetOnChange = (directory: Pick<SpeciesDirectory, 'forget'>): ChangeHandlers => ({
  onNotice({ changes }) {
    if (concernsSpecies(changes)) directory.forget();
  },
  onGap: () => directory.forget(),
});

const unknownBird = 'Bird';

/** Creates a directory on the database. */
export function createSpeciesDirectory(
  pool: pg.Pool,
  { onCreated, merge, onFull }: SpeciesDirectoryOptions = {},
): SpeciesDirectory {
  let cached: Promise<SpeciesTree> | undefined;
  /** Labels that were not learnt, and are not tried again before species change. */
  const refused = new Set<string>();
  let isFullReported = false;
  const forget = () => {
    cached = undefined;
    refused.clear();
  };
  const tree = async () => {
    cached ??= readTree(pool);
    try {
      return await cached;
    } catch (error) {
      cached = undefined;
      throw error;
    }
  };

  async function resolve(given: Iterable<string>): Promise<Map<string, number>> {
    const labels = [...new Set(given)];
    let current = await tree();
    const unlearnt = labels.filter((label) => !current.read(label)?.isLearned);
    const missing = unlearnt.filter((label) => !refused.has(label));
    let hasRefused = missing.length < unlearnt.length;
    if (missing.length) {
      const { isChanged, merges, isFull } = await learnLabels(pool, readTree, missing);
      if (isChanged) onCreated?.();
      cached = undefined;
      if (merge) for (const { from, into } of merges) await merge(from, into);
      current = await tree();
      if (isFull) {
        hasRefused = true;
        refuse(missing.filter((label) => !current.read(label)?.isLearned));
      }
    }
    return new Map(
      labels.map((label) => {
        const id = current.find(label) ?? (hasRefused ? current.find(unknownBird) : undefined);
        if (id === undefined) throw new Error(`the species of label ${label} was not created`);
        return [label, id];
      }),
    );
  }

  function refuse(labels: readonly string[]): void {
    if (refused.size > maxCachedLabels) refused.clear();
    for (const label of labels) refused.add(label);
    if (!isFullReported) onFull?.();
    isFullReported = true;
  }

  return { tree, readTree, resolve, forget };
}

/** Returns SQL for the species of an id or its merge target; null when there is none. */
export const currentSpeciesSql = (species: string): string =>
  `(SELECT coalesce(merged_into, id) FROM species WHERE id = ${species}::bigint)`;

/** Returns SQL for the ids of a species, or its merge target, and its descendants. */
export const kinSql = (species: string): string => `
  WITH RECURSIVE kin (id) AS (
    SELECT id FROM species WHERE id = ${currentSpeciesSql(species)}
    UNION SELECT species.id FROM kin JOIN species ON parent_id = kin.id
  )
  SELECT id FROM kin`;

/** The rows of a tree. */
interface TreeRows {
  readonly revision: number;
  readonly nodes: readonly SpeciesNode[];
  /** Spelling to species. */
  readonly aliases: ReadonlyMap<string, number>;
  /** Merged species to their targets; they are not among the nodes. */
  readonly merged: ReadonlyMap<number, number>;
  /** The region of the hub. */
  readonly region: Region;
}

/** Detectors use hundreds of labels, some up to 20,000; the limit protects against clients that keep sending new ones. */
const maxCachedLabels = 30_000;

/** Caches the meaning of labels, because comparing spellings is the most expensive step of a lookup. */
function cacheReadings(names: KnownNames): SpeciesTree['read'] {
  const found = new Map<string, FoundLabel>();
  return (label) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const read = findLabel(readLabel(label), names);
    if (found.size >= maxCachedLabels) found.clear();
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
  const read = cacheReadings(names);
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
