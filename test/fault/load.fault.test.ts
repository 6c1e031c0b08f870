import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { faultMs, isLong, perSecond } from './fixtures/size.js';
import { postSightings, type SteadySightings, supportsSightings } from './fixtures/steady-sightings.js';
import { uploadSteadily, verifyUploads } from './fixtures/steady-uploads.js';
import { useTrial } from './fixtures/trial.js';

const trial = useTrial();
const loadMs = isLong ? faultMs : 20_000;
const uploadsPerSecond = Math.max(1, perSecond / 5);
const sightingsPerSecond = perSecond / 2;
const victims = ['ingest', 'gateway', 'postgres', 'nats'] as const;

/** Sightings are in months of their own, as the timeline of posts is compared item by item. */
const firstSightingAt = Date.UTC(2010, 0, 1);

describe('posts, sightings and uploads of 2 MB at once', () => {
  it(`kill -9 of ${victims.join(', ')} in the middle, loses nothing acknowledged and leaves no partial file`, async () => {
    const { baseUrl, recordingsDir } = trial.hub();
    const uploads = uploadSteadily({
      ...{ baseUrl, folder: 'uploads', perSecond: uploadsPerSecond, maxInFlight: 3 * uploadsPerSecond },
    });
    const sightings: SteadySightings | undefined = supportsSightings
      ? postSightings({
          ...{ baseUrl, firstAt: firstSightingAt, perSecond: sightingsPerSecond },
          maxInFlight: 3 * sightingsPerSecond,
        })
      : undefined;
    let loadedMs = 0;
    const posting = await trial.during({
      name: `SIGKILL to ${victims.join(', ')} under full load`,
      async inject() {
        const startedAt = performance.now();
        for (const name of victims) {
          await pause(loadMs / (victims.length + 1));
          const killed = trial.hub().kill(name, 'SIGKILL');
          await trial.hub().waitUntilRestarted(name, killed);
        }
        await pause(loadMs / (victims.length + 1));
        loadedMs = performance.now() - startedAt;
      },
      async restore() {
        await Promise.all([uploads.stop(), sightings?.stop()]);
        for (const [id, body] of sightings?.acknowledged ?? []) trial.sightings.set(id, body);
        await verifyUploads(recordingsDir, uploads);
        // The final check expects only files of posted recordings.
        rmSync(join(recordingsDir, 'uploads'), { recursive: true });
      },
    });
    expect(sightings?.failures.map(String) ?? []).toEqual([]);
    expect(uploads.acknowledged.size).toBeGreaterThan(0);
    reportRates({
      loadedMs,
      posts: posting.responses(),
      sightings: sightings?.acknowledged.size ?? 0,
      uploads: uploads.acknowledged.size,
    });
  });
});

/** Prints the rates of a long run, pauses of the killed processes included, for docs/performance.md. */
function reportRates({
  loadedMs,
  ...counts
}: Record<'loadedMs' | 'posts' | 'sightings' | 'uploads', number>): void {
  if (!isLong) return;
  const rates = Object.entries(counts).map(
    ([name, count]) => `${((count * 1_000) / loadedMs).toFixed(1)} ${name}/s`,
  );
  console.log(`in ${(loadedMs / 1_000).toFixed(1)} s: ${rates.join(', ')}`);
}
