import type pg from 'pg';
import { assignLabels, keysOfReading } from './assign-labels.js';
import { findChecklistSpecies } from './checklist.store.js';
import { type ChecklistSource, type ChecklistTitle, checklistTitles } from './checklist-file.js';
import type { SpeciesDirectory } from './directory.js';
import { findLabel, type KnownNames, type LabelMatch } from './find-label.js';
import { readLabel } from './labels.js';
import { isNoise, type SpeciesGroup } from './species-group.js';
import { speciesKey } from './species-names.js';

/** The meaning of a label. */
export interface ResolvedLabel {
  readonly label: string;
  /** The group of the species tree that it belongs to. */
  readonly group: SpeciesGroup;
  /** Null for a species of a checklist that is not in the tree yet. */
  readonly speciesId: number | null;
  readonly name: string | null;
  readonly scientificName: string | null;
  readonly ebirdCode: string | null;
  /** The name of the family in the tree. */
  readonly family: string | null;
  readonly plumage: string | null;
  readonly matchedBy: LabelMatch | null;
  /** The checklist that lists it, if the tree does not contain it. */
  readonly checklist: (ChecklistTitle & { readonly source: ChecklistSource }) | null;
}

/** Returns what a detector's label means, or would mean if it were posted; creates nothing. */
export async function resolveLabel(
  { directory, pool }: { readonly directory: SpeciesDirectory; readonly pool: pg.Pool },
  label: string,
  by: 'video' | 'audio' = 'video',
): Promise<ResolvedLabel> {
  const tree = await directory.tree();
  const { names, read } = tree;
  const found = read(label);
  // A checklist may list a subspecies that has no row of its own as a full species.
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
