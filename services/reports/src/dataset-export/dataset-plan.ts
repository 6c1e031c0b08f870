import { createHash } from 'node:crypto';
import { isYes } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { toFileName } from '@birdhub/shared/files';
import { dayWindow, isDay } from '@birdhub/shared/time';
import type { DatasetSearch, SpeciesCount } from './dataset.store.js';
import type { DatasetFormat, DatasetQuery } from './dataset-export.schema.js';

/** A requested data set. */
export interface DatasetRequest {
  readonly search: DatasetSearch;
  readonly format: DatasetFormat;
  readonly valRatio: number;
  readonly splitSeed: number;
  /** In ms since the epoch. */
  readonly createdAt: number;
}

/** Limits of the time of recordings. */
const earliest = Date.UTC(1999, 11, 31);
const latest = Date.UTC(9999, 0, 1);

/**
 * Parses the query of a data set; its days are local to the zone and inclusive.
 * @throws HubError invalid_request naming the parameter
 */
export function readDatasetRequest(query: DatasetQuery, zone: string, now: number): DatasetRequest {
  const start = readDay('start_date', query.start_date, zone)?.start ?? earliest;
  const end = readDay('end_date', query.end_date, zone)?.end ?? latest;
  if (query.start_date && query.end_date && query.end_date < query.start_date)
    throw invalidField('end_date', 'must not be before start_date');
  return {
    search: { start, end, minConfidence: query.min_confidence, onlyReviewed: isYes(query.only_reviewed) },
    format: query.format,
    valRatio: query.val_ratio,
    splitSeed: query.split_seed,
    createdAt: now,
  };
}

function readDay(name: string, day: string | undefined, zone: string) {
  if (day === undefined) return undefined;
  if (!isDay(day)) throw invalidField(name, 'must be a day, YYYY-MM-DD');
  return dayWindow(zone, day);
}

/** The classes of a data set, and the detections that are skipped before any video is read. */
export interface DatasetPlan {
  readonly classes: readonly DatasetClass[];
  readonly skipped: Skipped;
}

/** A class of a data set. */
export interface DatasetClass {
  /** Its index in the list of classes. */
  readonly index: number;
  /** The name of its folder. */
  readonly name: string;
  readonly speciesId: number;
  readonly scientificName: string | null;
}

/** Why a matching detection is not in a data set. */
type SkipReason =
  | 'audio'
  | 'generic_species'
  | 'no_box'
  | 'below_min_images'
  | 'media_missing'
  | 'undecodable'
  | 'on_both_sides';

/** Numbers of skipped detections by reason; reasons without any are absent. */
export type Skipped = Partial<Record<SkipReason, number>>;

/** Counts skipped detections. */
export function skip(skipped: Skipped, reason: SkipReason, count = 1): void {
  if (count > 0) skipped[reason] = (skipped[reason] ?? 0) + count;
}

/** Plans the classes of a data set. Generic species are never a class, reviewed or not. */
export function planDataset(counts: readonly SpeciesCount[], minImages: number): DatasetPlan {
  const skipped: Skipped = {};
  const chosen: SpeciesCount[] = [];
  for (const species of counts) {
    const { isGeneric, audio, withBox, withoutBox } = species;
    if (isGeneric) {
      skip(skipped, 'generic_species', audio + withBox + withoutBox);
      continue;
    }
    skip(skipped, 'audio', audio);
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

const fold = (name: string) => name.normalize('NFKC').toLowerCase();

/** Returns the folder of each species: its name, with its id appended if the name is not unique for file systems. */
export function nameClasses(
  species: readonly Pick<SpeciesCount, 'speciesId' | 'speciesName'>[],
): Map<number, string> {
  const taken = new Set<string>();
  const names = new Map<number, string>();
  for (const { speciesId, speciesName } of species.toSorted(
    (one, other) => one.speciesId - other.speciesId,
  )) {
    let name = toFileName(speciesName);
    while (taken.has(fold(name))) name = `${name} (${speciesId})`;
    taken.add(fold(name));
    names.set(speciesId, name);
  }
  return names;
}

/** The splits of a data set. */
export const splits = ['train', 'val'] as const;

/** One of {@link splits}. */
export type Split = (typeof splits)[number];

const hashValues = 2 ** 32;

/** Returns the split of a visit by a hash of its id, so that it does not change when visits are added or removed. */
export function splitOf(visitId: number, seed: number, valRatio: number): Split {
  const hash = createHash('sha256').update(`${seed}:${visitId}`).digest().readUInt32BE() / hashValues;
  return hash < valRatio ? 'val' : 'train';
}
