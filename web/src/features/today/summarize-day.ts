import type { components } from '../../api/schema';
import { bestDetection, type HeardMoment } from '../../components/visits/describe-visit';

/** A visit, or a recording that belongs to none. */
export type Visit = components['schemas']['TimelineItem'];

/** A species on one day. */
export interface SpeciesOfDay {
  readonly species: Visit['species'];
  readonly visits: number;
  /** Most birds that were seen at once. */
  readonly mostAtOnce: number;
  readonly firstAt: string;
  readonly lastAt: string;
  /** The detection by picture that the detector was surest of; undefined when it was only heard. */
  readonly bestDetectionId: number | undefined;
  /** What was heard of it last, when it was only heard. */
  readonly heard: HeardMoment | undefined;
}

/** What the visits of a day say. */
export interface DaySummary {
  /** Most visits first, then the one that came last. */
  readonly species: readonly SpeciesOfDay[];
  readonly visits: number;
  /** Visits of which nobody has said the species yet. */
  readonly nameless: number;
  /** Visits by the hour of their start, 24 of them. */
  readonly byHour: readonly number[];
}

/** Labels that say only that there was a bird; the hub leaves them out of its figures as well. */
const genericNames: ReadonlySet<string> = new Set(['bird', 'birds', 'unknown']);

export const isNamed = ({ species }: Visit): boolean => !genericNames.has(species.name.toLowerCase());

function summarizeSpecies(visits: readonly [Visit, ...Visit[]]): SpeciesOfDay {
  const starts = visits.map(({ start_time }) => start_time).toSorted();
  const { species } = visits[0];
  const best = bestDetection({ detections: visits.flatMap(({ detections }) => detections) });
  const newest = visits.toSorted((one, other) => (one.start_time < other.start_time ? 1 : -1));
  return {
    species,
    visits: visits.length,
    mostAtOnce: Math.max(...visits.map(({ max_simultaneous }) => max_simultaneous)),
    firstAt: starts[0] ?? visits[0].start_time,
    lastAt: starts.at(-1) ?? visits[0].start_time,
    bestDetectionId: best?.id,
    heard: best === undefined ? newest.map(({ heard }) => heard).find((one) => one !== null) : undefined,
  };
}

/** Sums up the visits of a day; `hourOf` tells the hour of an instant by the clock of the hub. */
export function summarizeDay(items: readonly Visit[], hourOf: (instant: string) => number): DaySummary {
  const visits = items.filter(({ timeline_kind }) => timeline_kind === 'visit');
  const named = visits.filter(isNamed);
  const bySpecies = new Map<number, [Visit, ...Visit[]]>();
  const byHour = Array.from({ length: 24 }, () => 0);
  for (const visit of named) {
    const others = bySpecies.get(visit.species.id);
    if (others === undefined) bySpecies.set(visit.species.id, [visit]);
    else others.push(visit);
    const hour = Math.floor(hourOf(visit.start_time));
    byHour[hour] = (byHour[hour] ?? 0) + 1;
  }
  const species = [...bySpecies.values()].map(summarizeSpecies);
  return {
    species: species.toSorted((a, b) => b.visits - a.visits || (a.lastAt < b.lastAt ? 1 : -1)),
    visits: named.length,
    nameless: visits.length - named.length,
    byHour,
  };
}
