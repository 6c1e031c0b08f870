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
const maxSeeds = 1_000;

/** Returns the first seed with so many doubtful detections in the days before today, which are whole at any hour. */
export function seedWithDoubts(minDoubts: number, days: number, perDay: number): string {
  const time = localTimeIn(zone);
  const fittingPlace = placeFittingZone(place, time.offsetHours(Date.UTC(2026, 0, 1)));
  const plan = { list: birdLists[region], place: fittingPlace, time, perDay: [perDay, perDay] } as const;
  const dates = lastDates(time, Date.now(), days).slice(0, -1);
  const countDoubts = (seed: string) =>
    dates
      .flatMap((date) => planDay(date, { ...plan, seed }))
      .flatMap(({ detections }) => detections)
      .filter(({ source, confidence }) => source === 'video' && confidence < doubtfulBelow).length;
  for (let seed = 1; seed <= maxSeeds; seed += 1)
    if (countDoubts(String(seed)) >= minDoubts) return String(seed);
  throw new Error(`no seed gives ${minDoubts} doubtful detections in ${days - 1} days of ${perDay}`);
}
