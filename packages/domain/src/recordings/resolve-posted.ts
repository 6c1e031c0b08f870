import type { Settings } from '../settings/schema.js';
import type { SpeciesDirectory } from '../species/directory.js';
import { normaliseSpeciesName, speciesKey } from '../species/species-names.js';
import type { SpeciesTree } from '../species/species-tree.js';
import type { PostedRecording, ResolvedDetection } from './recording-types.js';

/** Posted detections that are stored, and how many fell below the least confidence. */
export interface ResolvedPost {
  readonly detections: readonly ResolvedDetection[];
  readonly dropped: number;
}

/** The label that each posted name stands for by the settings. */
export function createNaming({ detection }: Settings): (name: string) => string {
  const mapping = new Map(
    Object.entries(detection.species_mapping)
      .filter(([, to]) => normaliseSpeciesName(to) !== '')
      .map(([from, to]) => [speciesKey(from), to]),
  );
  return (name) => (mapping.size ? (mapping.get(speciesKey(name)) ?? name) : name);
}

/** Whether each posted name is of a species that there is. */
export function areNamesKnown(
  { detections }: Pick<PostedRecording, 'detections'>,
  settings: Settings,
  tree: Pick<SpeciesTree, 'find'>,
): boolean {
  const labelOf = createNaming(settings);
  return detections.every(({ speciesName }) => tree.find(labelOf(speciesName)) !== undefined);
}

/** Applies the settings to what was posted: renames, drops the improbable that nobody saw, finds or makes the species. */
export async function resolvePosted(
  { detections }: PostedRecording,
  settings: Settings,
  directory: SpeciesDirectory,
): Promise<ResolvedPost> {
  const { min_confidence_to_store: least } = settings.detection;
  const kept = detections.filter(({ confidence, reviewed }) => reviewed || confidence >= least);
  const labelOf = createNaming(settings);
  const ids = await directory.resolve(kept.map((detection) => labelOf(detection.speciesName)));
  const resolved = kept.map((detection) => {
    const speciesId = ids.get(labelOf(detection.speciesName));
    if (speciesId === undefined) throw new Error(`no species for ${detection.speciesName}`);
    return { ...detection, speciesId };
  });
  return { detections: resolved, dropped: detections.length - kept.length };
}
