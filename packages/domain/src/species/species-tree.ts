import { labelCandidates } from './species-names.js';

/** What the writers need to know of a species. */
export interface SpeciesNode {
  readonly id: number;
  readonly name: string;
  readonly parentId: number | null;
  readonly generic: boolean;
}

/** The species tree and every spelling, as one process holds them. */
export interface SpeciesTree {
  /** Goes up by one with each change of parents and each merge; visits made under another revision are not to be trusted. */
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, SpeciesNode>;
  /** The parent, its parent and so on to the root. */
  ancestorsOf(id: number): number[];
  childrenOf(id: number): readonly number[];
  /** The species that a detector's label means. */
  find(label: string): number | undefined;
  /** The species itself, or the one that it was merged into; undefined for one that there never was. */
  current(id: number): number | undefined;
}

/** What a tree is made of. */
export interface TreeRows {
  readonly revision: number;
  readonly nodes: readonly SpeciesNode[];
  /** Spelling to species. */
  readonly aliases: ReadonlyMap<string, number>;
  /** Species that were merged away, to the one that they are now; not among the nodes. */
  readonly merged: ReadonlyMap<number, number>;
}

/** Detectors know some hundred labels; whoever sends other words all the time is not remembered for ever. */
const mostRemembered = 2_000;

/** Remembers what labels were found to mean: to compare spellings takes longer than all else that a label goes through. */
function remembering(find: (label: string) => number | undefined): SpeciesTree['find'] {
  const found = new Map<string, number>();
  return (label) => {
    const known = found.get(label);
    if (known !== undefined) return known;
    const id = find(label);
    if (found.size >= mostRemembered) found.clear();
    if (id !== undefined) found.set(label, id);
    return id;
  };
}

/** Indexes species by parent and by spelling. */
export function buildSpeciesTree({ revision, nodes: rows, aliases, merged }: TreeRows): SpeciesTree {
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
