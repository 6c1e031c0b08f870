import { birdListOf, lastDays, type PlannedRecording, placeFittingZone, planDay } from '@birdhub/demo/plan';
import { hourMs, offsetMs } from '@birdhub/shared/time';
import type { TestHub } from '@birdhub/testing/hub';
import { runDemo } from '@birdhub/tools/demo/demo';
import { clipFolder } from '../../support/clip-folder.js';

/** Zone of the filled hub: start it with this `TZ`. */
export const zone = 'Europe/Berlin';
const region = 'europe';
const place = { latitude: 52.5, longitude: 13.4 };

/** The part of the demo with which a hub is filled. */
export interface Filling {
  readonly days: number;
  /** Recordings per day. Default: as in the demo. */
  readonly perDay?: number;
  readonly seed?: string;
}

/** Posts the recordings of the demo for the last days. */
export async function fillHub(hub: TestHub, { days, perDay, seed = '1' }: Filling): Promise<void> {
  const options = {
    hub: hub.baseUrl,
    token: undefined,
    recordingsDir: hub.recordingsDir,
    cacheDir: clipFolder,
    region,
    seed,
    place,
    zone,
    days,
    perDay,
    rate: undefined,
  } as const;
  await runDemo(options, { now: Date.now, say: () => undefined, signal: new AbortController().signal });
}

/** Detections with a lower confidence need a review. */
const doubtfulBelow = 0.5;
const maxSeeds = 4_000;

/** Whether a species was seen more than once, with several birds at the same time. */
function hasFlock(recordings: readonly PlannedRecording[]): boolean {
  const seen = recordings.flatMap(({ startAt, detections }) => {
    const names = detections.flatMap(({ source, speciesName }) => (source === 'video' ? [speciesName] : []));
    return names.length > 0 ? [{ startAt, names }] : [];
  });
  return seen.some(
    ({ startAt, names: [name, ...others] }) =>
      others.includes(name ?? '') &&
      seen.some(({ startAt: at, names }) => Math.abs(at - startAt) > hourMs && names.includes(name ?? '')),
  );
}

/**
 * Returns the first seed with this many doubtful detections, a bird that is only heard, birds that came together, and
 * recordings of two cameras, all before today, as today is incomplete. @throws when there is none
 */
export function findSeed(minDoubts: number, days: number, perDay: number): string {
  const fittingPlace = placeFittingZone(place, offsetMs(zone, Date.UTC(2026, 0, 1)) / hourMs);
  const plan = { list: birdListOf(region), place: fittingPlace, zone, perDay: [perDay, perDay] } as const;
  const dates = lastDays(zone, Date.now(), days).toReversed();
  for (let index = 1; index <= maxSeeds; index += 1) {
    const seed = String(index);
    const byDate = dates.map((date) => planDay(date, { ...plan, seed }));
    const detectionsOf = (days: typeof byDate) => days.flat().flatMap(({ detections }) => detections);
    const seen = new Set(
      detectionsOf(byDate).flatMap(({ source, speciesName }) => (source === 'video' ? [speciesName] : [])),
    );
    const before = byDate.slice(0, -1);
    const doubts = detectionsOf(before).filter(
      ({ source, confidence }) => source === 'video' && confidence < doubtfulBelow,
    );
    const isHeard = detectionsOf(before).some(({ speciesName }) => !seen.has(speciesName));
    const cameras = new Set(before.flat().map(({ camera }) => camera));
    if (doubts.length >= minDoubts && isHeard && cameras.size > 1 && hasFlock(before.flat())) return seed;
  }
  throw new Error('no seed of the demo has the data that the tests of pages need');
}
