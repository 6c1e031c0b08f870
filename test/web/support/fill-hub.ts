import type { TestHub } from '@birdhub/testing/hub';
import { runDemo } from '@birdhub/tools/demo/demo';
import { clipFolder } from '../../support/clip-folder.js';

/** Zone of the filled hub: start it with this `TZ`. */
export const zone = 'Europe/Berlin';

/** Posts the demo's recordings of some days up to now: with three, enough of them are doubtful for a review. */
export async function fillHub(hub: TestHub, days = 3): Promise<void> {
  const options = {
    hub: hub.baseUrl,
    token: undefined,
    recordingsDir: hub.recordingsDir,
    cacheDir: clipFolder,
    region: 'europe',
    seed: '1',
    place: { latitude: 52.5, longitude: 13.4 },
    zone,
    days,
    rate: undefined,
  } as const;
  await runDemo(options, { now: Date.now, say: () => undefined, signal: new AbortController().signal });
}
