import { localDay } from '@birdhub/shared/time';
import type { VisitState } from './visit-state.js';

/** What a species' rollup of one day goes up or down by. */
export interface DayDelta {
  readonly speciesId: number;
  /** Calendar day in the zone of the visit rule. */
  readonly day: string;
  visits: number;
  individuals: number;
  videoVisits: number;
  detections: number;
  /** Summed length of the visits, in ms. */
  durationMs: number;
}

/** Collects what changing visits does to the rollups. */
export class RollupDeltas {
  readonly #timezone: string;
  readonly #days = new Map<string, DayDelta>();

  constructor(timezone: string) {
    this.#timezone = timezone;
  }

  /** Counts a visit in, or out with `sign` -1. */
  count(speciesId: number, visit: VisitState, sign: 1 | -1): void {
    const delta = this.#dayOf(speciesId, visit.start);
    delta.visits += sign;
    delta.individuals += sign * visit.maxSimultaneous;
    delta.videoVisits += visit.videoCount > 0 ? sign : 0;
    delta.detections += sign * visit.detectionCount;
    delta.durationMs += sign * (visit.end - visit.start);
  }

  /** The days that really change, in one order for all writers, so that they cannot block each other. */
  list(): DayDelta[] {
    return [...this.#days.values()]
      .filter(({ visits, individuals, videoVisits, detections, durationMs }) =>
        [visits, individuals, videoVisits, detections, durationMs].some((number) => number !== 0),
      )
      .sort((a, b) => a.speciesId - b.speciesId || a.day.localeCompare(b.day));
  }

  #dayOf(speciesId: number, instant: number): DayDelta {
    const day = localDay(this.#timezone, instant);
    const key = `${speciesId} ${day}`;
    let delta = this.#days.get(key);
    if (!delta) {
      delta = { speciesId, day, visits: 0, individuals: 0, videoVisits: 0, detections: 0, durationMs: 0 };
      this.#days.set(key, delta);
    }
    return delta;
  }
}
