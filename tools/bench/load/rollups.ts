import type { DataDay } from '../data-set/data-day.js';

/** The row of `visit_day` for a species and day. */
export interface DayRollup {
  /** Index into `speciesProfiles`. */
  readonly species: number;
  visits: number;
  individuals: number;
  videoVisits: number;
  detections: number;
  /** Total length of the visits, in ms. */
  durationMs: number;
}

/** Returns the rollups of a day; no visit of the data set extends over midnight. */
export function dayRollups({ visits }: DataDay): DayRollup[] {
  const rows = new Map<number, DayRollup>();
  for (const { species, start, end, maxSimultaneous, detectionIds, videoCount } of visits) {
    const none = { species, visits: 0, individuals: 0, videoVisits: 0, detections: 0, durationMs: 0 };
    const row = rows.get(species) ?? none;
    rows.set(species, row);
    row.visits += 1;
    row.individuals += maxSimultaneous;
    row.videoVisits += videoCount > 0 ? 1 : 0;
    row.detections += detectionIds.length;
    row.durationMs += end - start;
  }
  return [...rows.values()];
}

/** Counts the totals of the whole store: the counters of the hub and the totals of each species. */
export class StoreTotals {
  readonly counters = new Map<string, number>();
  readonly bySpecies = new Map<number, { visits: number; individuals: number }>();

  /** Adds a day; `cameraIdOf` returns the id of a camera by its index. */
  count(day: DataDay, cameraIdOf: (camera: number) => string): void {
    for (const { camera, detections } of day.made) {
      this.#add('videos', 1);
      this.#add('detections', detections.length);
      this.#add(`camera:${cameraIdOf(camera)}`, 1);
    }
    this.#add('visits', day.visits.length);
    for (const { species, visits, individuals } of dayRollups(day)) {
      const total = this.bySpecies.get(species) ?? { visits: 0, individuals: 0 };
      this.bySpecies.set(species, total);
      total.visits += visits;
      total.individuals += individuals;
    }
  }

  #add(name: string, value: number): void {
    this.counters.set(name, (this.counters.get(name) ?? 0) + value);
  }
}
