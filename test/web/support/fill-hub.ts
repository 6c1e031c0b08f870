import { birdLists, lastDates, localTimeIn, placeFittingZone, planDay } from '@birdhub/demo/plan';
import type { TestHub } from '@birdhub/testing/hub';
import { runDemo } from '@birdhub/tools/demo/demo';
import { clipFolder } from '../../support/clip-folder.js';

/** Zone of the filled hub: start it with this `TZ`. */
export const zone = 'Europe/Berlin';
const region = 'europe';
const place = { latitude: 52.5, longitude: 13.4 };

/** How much of the demo a hub is filled with. */
export type Filling = {
  readonly days: number;
  /** Recordings of a day; without it as many as the demo makes. */
  readonly perDay?: number;
  readonly seed?: string;
};

/** Posts the demo's recordings of some days up to now. */
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

/** A detection that is less sure is one for the review. */
const doubtfulBelow = 0.5;
const maxSeeds = 4_000;

/** Returns the first seed with so many doubtful detections, and a bird that is heard and never seen, in the days before today, which are whole at any hour. @throws when none has */
export function findSeed(minDoubts: number, days: number, perDay: number): string {
  const time = localTimeIn(zone);
  const fittingPlace = placeFittingZone(place, time.offsetHours(Date.UTC(2026, 0, 1)));
  const plan = { list: birdLists[region], place: fittingPlace, time, perDay: [perDay, perDay] } as const;
  const dates = lastDates(time, Date.now(), days);
  for (let index = 1; index <= maxSeeds; index += 1) {
    const seed = String(index);
    const byDate = dates.map((date) =>
      planDay(date, { ...plan, seed }).flatMap(({ detections }) => detections),
    );
    const seen = new Set(
      byDate.flat().flatMap(({ source, speciesName: name }) => (source === 'video' ? [name] : [])),
    );
    const before = byDate.slice(0, -1).flat();
    const doubts = before.filter(
      ({ source, confidence }) => source === 'video' && confidence < doubtfulBelow,
    );
    if (doubts.length >= minDoubts && before.some(({ speciesName: name }) => !seen.has(name))) return seed;
  }
  throw new Error('no seed of the demo has what the tests of pages look for');
}
