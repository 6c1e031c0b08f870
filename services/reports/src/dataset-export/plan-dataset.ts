import type { SpeciesCount } from './dataset.store.js';
import { nameClasses } from './name-classes.js';

/** A class of a data set. */
export interface DatasetClass {
  /** Its place in the list of classes. */
  readonly index: number;
  /** Its folder. */
  readonly name: string;
  readonly speciesId: number;
  readonly scientificName: string | null;
}

/** Why something that was asked for is not in a data set. */
export type SkipReason =
  | 'audio'
  | 'generic_species'
  | 'no_box'
  | 'below_min_images'
  | 'media_missing'
  | 'undecodable'
  | 'on_both_sides';

/** How many were left out for each reason. */
export type Skipped = Partial<Record<SkipReason, number>>;

/** Counts what is left out; nothing is not mentioned. */
export function skip(skipped: Skipped, reason: SkipReason, count = 1): void {
  if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
}

/** The classes of a data set, and what is left out before anybody looks at a video. */
export interface DatasetPlan {
  readonly classes: readonly DatasetClass[];
  readonly skipped: Skipped;
}

/** Generic species say nothing that could be learned, whoever has looked at them. */
export function planDataset(counts: readonly SpeciesCount[], minImages: number): DatasetPlan {
  const skipped: Skipped = {};
  const chosen: SpeciesCount[] = [];
  for (const species of counts) {
    const { isGeneric, heard, withBox, withoutBox } = species;
    if (isGeneric) {
      skip(skipped, 'generic_species', heard + withBox + withoutBox);
      continue;
    }
    skip(skipped, 'audio', heard);
    skip(skipped, 'no_box', withoutBox);
    if (withBox < minImages) skip(skipped, 'below_min_images', withBox);
    else chosen.push(species);
  }
  const names = nameClasses(chosen);
  const classes = chosen.map(({ speciesId, speciesName, scientificName }, index) => {
    return { index, name: names.get(speciesId) ?? speciesName, speciesId, scientificName };
  });
  return { classes, skipped };
}
