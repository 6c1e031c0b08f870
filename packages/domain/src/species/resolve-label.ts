import type pg from 'pg';
import { assignLabels, keysOfReading } from './assign-labels.js';
import { findChecklistSpecies } from './checklist.store.js';
import { type ChecklistSource, type ChecklistTitle, checklistTitles } from './checklist-file.js';
import type { SpeciesDirectory } from './directory.js';
import { findLabel, type KnownNames, type LabelMatch } from './find-label.js';
import { readLabel } from './labels.js';
import { isNoise, type SpeciesGroup } from './species-group.js';
import { speciesKey } from './species-names.js';

/** What a label means. */
export interface ResolvedLabel {
  readonly label: string;
  /** The part of the tree that it is in. */
  readonly group: SpeciesGroup;
  /** Null for a species of a checklist that the hub has no row of yet. */
  readonly speciesId: number | null;
  readonly name: string | null;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  /** The name of the family, as the tree has it. */
  readonly family: string | null;
  readonly plumage: string | null;
  readonly matchedBy: LabelMatch | null;
  /** The checklist that knows it, when only that does. */
  readonly checklist: (ChecklistTitle & { readonly source: ChecklistSource }) | null;
}

/** Returns what a label of a camera or a microphone means, or would mean were it posted, and creates nothing. */
export async function resolveLabel(
  { directory, pool }: { readonly directory: SpeciesDirectory; readonly pool: pg.Pool },
  label: string,
  by: 'video' | 'audio' = 'video',
): Promise<ResolvedLabel> {
  const tree = await directory.tree();
  const { names, read } = tree;
  const found = read(label);
  // Of a subspecies that has no name of its own here, a checklist may know that it is a species.
  if (found && (found.isLearned || found.by !== 'subspecies')) {
    const { id, plumage } = found;
    const meant = describe(names, id);
    const group = isNoise(tree, id, { source: by }) ? 'noise' : meant.group;
    return { ...meant, group, label, speciesId: id, plumage, matchedBy: found.by, checklist: null };
  }
  const reading = readLabel(label);
  const checklists = await findChecklistSpecies(pool, keysOfReading(reading, names.region));
  const assigned = assignLabels([reading], names, checklists);
  const id = findLabel(reading, assigned)?.id;
  const created = assigned.created.find((species) => species.id === id);
  const { plumage } = reading;
  if (id === undefined || (created && created.source === null)) return { ...nothing, label, plumage };
  const source = created?.source ?? null;
  return {
    ...describe(assigned, id),
    label,
    speciesId: id < 0 ? null : id,
    plumage,
    matchedBy: found?.id === id ? found.by : 'checklist',
    checklist: source && { source, ...checklistTitles[source] },
  };
}

const nothing = {
  group: 'unknown',
  speciesId: null,
  name: null,
  scientificName: null,
  ebirdCode: null,
  family: null,
  matchedBy: null,
  checklist: null,
} as const;

const roots = { birds: 'bird', 'other animals': 'other_animal', noise: 'noise' } as const;

function describe(names: KnownNames, id: number) {
  const { name = null, scientificName = null, ebirdCode = null } = names.node(id) ?? {};
  const line = [id];
  for (let at = names.node(id)?.parentId; at != null; at = names.node(at)?.parentId) line.push(at);
  const [root, family] = [line.at(-1), line.at(-2)];
  const group = Object.entries(roots).find(([key]) => names.speciesOfKey(key) === root)?.[1] ?? 'unknown';
  const isUnknown = name !== null && speciesKey(name) === 'unknown';
  const isBelow = family !== undefined && family !== id;
  return {
    group: isUnknown ? 'unknown' : group,
    name,
    scientificName,
    ebirdCode,
    family: isBelow ? (names.node(family)?.name ?? null) : null,
  } as const;
}
