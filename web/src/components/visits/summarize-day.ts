import type { components } from '../../api/schema';
import { bestDetection, type HeardMoment } from './describe-visit';

/** A visit, or a recording without a visit. */
export type Visit = components['schemas']['TimelineItem'];

/** A species on one day. */
export interface SpeciesOfDay {
  readonly species: Visit['species'];
  readonly visits: number;
  /** Maximum number of birds at once. */
  readonly maxAtOnce: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The video detection with the highest confidence that has a picture. */
  readonly bestDetectionId: number | undefined;
  /** ThumbHash of the picture of that detection. */
  readonly thumbhash: string | null;
  /** Visits by the hour of their start, 24 of them. */
  readonly byHour: readonly number[];
  readonly isHeardOnly: boolean;
  /** The latest audio detection of an audio-only species. */
  readonly heard: HeardMoment | undefined;
}

/** Summary of the visits of a day. */
export interface DaySummary {
  /** By number of visits, then by the latest visit. */
  readonly species: readonly SpeciesOfDay[];
  readonly visits: number;
  /** Visits without a species. */
  readonly unnamed: number;
  /** Visits by the hour of their start, 24 of them. */
  readonly byHour: readonly number[];
}

/** Whether a visit is of a bird; the figures exclude other animals. */
export const isOfBird = ({ species }: Visit): boolean => species.group === 'bird';

/** Generic labels, which the hub also excludes from its figures. */
const genericNames: ReadonlySet<string> = new Set(['bird', 'birds', 'unknown']);

export const isNamed = (visit: Visit): boolean =>
  isOfBird(visit) && !genericNames.has(visit.species.name.toLowerCase());

type HourOf = (instant: string) => number;

const countByHour = (visits: readonly Visit[], hourOf: HourOf): readonly number[] => {
  const byHour = Array.from({ length: 24 }, () => 0);
  for (const { start_time } of visits) {
    const hour = Math.floor(hourOf(start_time));
    byHour[hour] = (byHour[hour] ?? 0) + 1;
  }
  return byHour;
};

function summarizeSpecies(visits: readonly [Visit, ...Visit[]], hourOf: HourOf): SpeciesOfDay {
  const starts = visits.map(({ start_time }) => start_time).toSorted();
  const { species } = visits[0];
  const bestOf = (some: readonly Visit[]) =>
    bestDetection({ detections: some.flatMap(({ detections }) => detections) });
  const best = bestOf(visits.filter(({ media_kind }) => media_kind !== null));
  const ofBest = visits.find(({ detections }) => detections.some(({ id }) => id === best?.id));
  const isHeardOnly = best === undefined && bestOf(visits) === undefined;
  const newest = visits.toSorted((one, other) => (one.start_time < other.start_time ? 1 : -1));
  return {
    species,
    visits: visits.length,
    maxAtOnce: Math.max(...visits.map(({ max_simultaneous }) => max_simultaneous)),
    firstAt: starts[0] ?? visits[0].start_time,
    lastAt: starts.at(-1) ?? visits[0].start_time,
    bestDetectionId: best?.id,
    thumbhash: (ofBest && bestDetection(ofBest)?.id === best?.id && ofBest.thumbhash) || null,
    byHour: countByHour(visits, hourOf),
    isHeardOnly,
    heard: isHeardOnly ? newest.map(({ heard }) => heard).find((one) => one !== null) : undefined,
  };
}

/** Summarises the visits of a day; `hourOf` returns the hour of an instant in the hub's zone. */
export function summarizeDay(items: readonly Visit[], hourOf: HourOf): DaySummary {
  const visits = items.filter((item) => item.timeline_kind === 'visit' && isOfBird(item));
  const named = visits.filter(isNamed);
  const bySpecies = new Map<number, [Visit, ...Visit[]]>();
  for (const visit of named) {
    const others = bySpecies.get(visit.species.id);
    if (others === undefined) bySpecies.set(visit.species.id, [visit]);
    else others.push(visit);
  }
  const species = [...bySpecies.values()].map((ofSpecies) => summarizeSpecies(ofSpecies, hourOf));
  return {
    species: species.toSorted((a, b) => b.visits - a.visits || (a.lastAt < b.lastAt ? 1 : -1)),
    visits: named.length,
    unnamed: visits.length - named.length,
    byHour: countByHour(named, hourOf),
  };
}

const ranks = { first_ever: 0, rare: 1, new_this_year: 2 };

/** Moves new and rare species to the front; otherwise keeps the order. */
export function sortByRelevance(
  species: readonly SpeciesOfDay[],
  reasonOf: ReadonlyMap<number, keyof typeof ranks>,
): readonly SpeciesOfDay[] {
  const rankOf = ({ species: { id } }: SpeciesOfDay) => {
    const reason = reasonOf.get(id);
    return reason === undefined ? Number.POSITIVE_INFINITY : ranks[reason];
  };
  return species.toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
}
