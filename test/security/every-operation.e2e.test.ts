import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import type { TestHub } from '../support/hub.js';
import '../support/property-seed.js';
import { steadyRecording } from '../e2e/fixtures/steady-posting.js';
import { createProcessorClient } from '../support/processor-client/processor-client.js';
import { operations } from './fixtures/contract-operations.js';
import { type Outcome, sendMany } from './fixtures/send-many.js';

/** Short in every run; `npm run test:security` says more. */
const total = Number(process.env['SECURITY_REQUESTS'] ?? 2500);
const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
/** What cannot succeed here: there is no film to cut, no feeder, nothing merged or corrected by these ids for sure. */
const needsMore = [
  'purgeStorage',
  'exportDataset',
  'getDetectionCrop',
  'dispenseFeed',
  'cancelJob',
  'revertSpeciesMerge',
  'revertCorrection',
  'streamVideo',
  'downloadVideo',
  'getVideoPoster',
  'getVideoSpectrogram',
  'getRecordingFile',
];
const nowhere = 'http://127.0.0.1:9';
/** Drawn settings may ask for more free space than any disk has, which the hub rightly complains of. */
const complaint = 'the disk is full, and nothing is left that may be cleared';
const folder = useDataFolder({ isKilling: true });
let hub: TestHub;
let outcome: Outcome;

beforeAll(
  async () => {
    hub = await startHubIn(folder, {
      OPEN_METEO_URL: nowhere,
      OPENWEATHER_API_URL: nowhere,
      EBIRD_API_URL: nowhere,
      XENO_CANTO_API_URL: nowhere,
      TELEGRAM_API_URL: nowhere,
    });
    const client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
    const start = Date.parse('2026-05-01T00:00:00Z');
    for (let index = 0; index < 300; index += 1) {
      await client.postRecording(steadyRecording({ name: 'known', index, start: start + index * 300_000 }));
    }
    outcome = await sendMany(hub.baseUrl, total, seed);
    const sums = [...outcome.statuses.values()].flatMap((counts) => [...counts]);
    const byStatus = new Map<number, number>();
    for (const [status, count] of sums) byStatus.set(status, (byStatus.get(status) ?? 0) + count);
    console.log(`${total} requests, seed ${seed}, slowest ${Math.round(outcome.slowestMs)} ms`, byStatus);
  },
  60_000 + total * 100,
);

describe('the hub', () => {
  it('whatever it is asked, answers in time and as its contract says, never with a failure', () => {
    expect(Object.fromEntries(outcome.faults)).toEqual({});
  });

  it('each operation asked rightly, did answer with success', () => {
    const succeeds = (id: string) =>
      [...(outcome.statuses.get(id)?.keys() ?? [])].some((status) => status < 400);
    const never = operations.map(({ id }) => id).filter((id) => !succeeds(id));
    expect(never.filter((id) => !needsMore.includes(id))).toEqual([]);
  });

  it('after all that, is well in all its parts and runs in the processes that it began with', async () => {
    const answer = await fetch(`${hub.baseUrl}/api/ui/readiness`);
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ status: 'ok' })]);
    expect(hub.processes().map(({ name }) => name)).toHaveLength(7);
    const lines = hub.output().split('\n');
    const errors = lines.filter(
      (line) => /"level":"(?:error|fatal)"/.test(line) && !line.includes(complaint),
    );
    expect(errors).toEqual([]);
  });
});
