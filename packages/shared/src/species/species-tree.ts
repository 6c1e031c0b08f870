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
  /** Goes up by one with each change of parents; visits made under another revision are not to be trusted. */
  readonly revision: number;
  readonly nodes: ReadonlyMap<number, SpeciesNode>;
  /** The parent, its parent and so on to the root. */
  ancestorsOf(id: number): number[];
  childrenOf(id: number): readonly number[];
  /** The species that a detector's label means. */
  find(label: string): number | undefined;
}

/** Indexes species by parent and by spelling. */
export function buildSpeciesTree(
  revision: number,
  rows: readonly SpeciesNode[],
  aliases: ReadonlyMap<string, number>,
): SpeciesTree {
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
  const find = (label: string) => {
    for (const key of labelCandidates(label)) {
      const id = aliases.get(key);
      if (id !== undefined) return id;
    }
    return undefined;
  };
  return { revision, nodes, ancestorsOf, childrenOf: (id) => children.get(id) ?? [], find };
}
