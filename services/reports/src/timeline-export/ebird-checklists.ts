import { localDay } from '@birdhub/shared/time';
import type { Sighting } from './export.store.js';

/** The most of one species at once on one day. */
export interface ChecklistSpecies {
  readonly name: string;
  scientificName: string | null;
  count: number;
  visits: number;
}

/** What was seen on a calendar day at one place; instants in ms since the epoch. */
export interface Checklist {
  /** `YYYY-MM-DD` in the hub's zone. */
  readonly day: string;
  start: number;
  end: number;
  readonly species: Map<string, ChecklistSpecies>;
}

function add(checklist: Checklist, { name, scientificName, count, start, end }: Sighting): void {
  checklist.start = Math.min(checklist.start, start);
  checklist.end = Math.max(checklist.end, end);
  const listed = checklist.species.get(name);
  if (!listed) {
    checklist.species.set(name, { name, scientificName, count, visits: 1 });
    return;
  }
  listed.count = Math.max(listed.count, count);
  listed.visits += 1;
  listed.scientificName ??= scientificName;
}

/** One checklist for each calendar day of the hub's zone; `nameOf` is what eBird calls a species. */
export async function toChecklists(
  slices: AsyncIterable<readonly Sighting[]>,
  zone: string,
  nameOf: (name: string) => string,
): Promise<Checklist[]> {
  const days = new Map<string, Checklist>();
  for await (const sightings of slices) {
    for (const sighting of sightings) {
      const { start, end } = sighting;
      const day = localDay(zone, start);
      const checklist = days.get(day) ?? { day, start, end, species: new Map() };
      days.set(day, checklist);
      add(checklist, { ...sighting, name: nameOf(sighting.name) });
    }
  }
  return [...days.values()].sort((one, other) => one.day.localeCompare(other.day));
}
