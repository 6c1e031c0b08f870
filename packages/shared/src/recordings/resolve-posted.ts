import type { Settings } from '../settings/index.js';
import { normaliseSpeciesName, type SpeciesDirectory, speciesKey } from '../species/index.js';
import type { PostedRecording, ResolvedDetection } from './recording-types.js';

/** Posted detections that are stored, and how many fell below the least confidence. */
export interface ResolvedPost {
  readonly detections: readonly ResolvedDetection[];
  readonly dropped: number;
}

/** Applies the settings to what was posted: renames, drops the improbable, finds or makes the species. */
export async function resolvePosted(
  { detections }: PostedRecording,
  { detection: settings }: Settings,
  directory: SpeciesDirectory,
): Promise<ResolvedPost> {
  const mapping = new Map(
    Object.entries(settings.species_mapping)
      .filter(([, to]) => normaliseSpeciesName(to) !== '')
      .map(([from, to]) => [speciesKey(from), to]),
  );
  const kept = detections.filter((detection) => detection.confidence >= settings.min_confidence_to_store);
  const labelOf = (name: string) => (mapping.size ? (mapping.get(speciesKey(name)) ?? name) : name);
  const ids = await directory.resolve(kept.map((detection) => labelOf(detection.speciesName)));
  const resolved = kept.map((detection) => {
    const speciesId = ids.get(labelOf(detection.speciesName));
    if (speciesId === undefined) throw new Error(`no species for ${detection.speciesName}`);
    return { ...detection, speciesId };
  });
  return { detections: resolved, dropped: detections.length - kept.length };
}
