import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestHub } from '@birdhub/testing/hub';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { aMovie } from '../../services/system/src/testing/a-movie.js';
import { steadyRecording } from '../e2e/fixtures/steady-posting.js';
import { startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';
import '../support/property-seed.js';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { operations } from './fixtures/contract-operations.js';
import { type Outcome, sendMany } from './fixtures/send-many.js';

/** Few in every run; `npm run test:security` sends more. */
const total = Number(process.env['SECURITY_REQUESTS'] ?? 2500);
const seed = fc.readConfigureGlobal()?.seed ?? Date.now();
/**
 * Operations that may never succeed here: videos have no pictures and may be purged by drawn retention settings, there is
 * no feeder and no hook, one import runs at a time and drawn days are rarely in the past, nothing is merged or corrected
 * under these ids, sources and channels may be gone, and two drawn days are rarely close together.
 */
const needsMore = [
  'purgeStorage',
  'exportDataset',
  'getDetectionCrop',
  'dispenseFeed',
  'cancelJob',
  'revertSpeciesMerge',
  'undoSpeciesTidy',
  'loadChecklist',
  'removeChecklist',
  'revertCorrection',
  'getVideoPoster',
  'getVideoSpectrogram',
  'getDisplaySpectrogram',
  'updateNotificationChannel',
  'updateSource',
  'streamVideo',
  'downloadVideo',
  'getDisplayAudio',
  'getUploadState',
  'uploadMedia',
  'postToHook',
  'importSource',
  'createAlertRule',
  'updateAlertRule',
  'listSpeciesDays',
  'testNotificationChannel',
  // A camera with a live picture.
  'getLiveView',
  'watchLiveHls',
  'watchLiveMjpeg',
  'negotiateLiveWebrtc',
  // A camera with a drawn name.
  'getCameraActivity',
  'getCameraPlaces',
  // Drawn settings may forbid links.
  'createShare',
  'revokeShare',
  // A link, whose token is random.
  'getShare',
  'getSharedPage',
  'getSharedCard',
  'getSharedMedia',
  'getSharedPicture',
];
const outsideServices = ['OPEN_METEO', 'OPENWEATHER_API', 'EBIRD_API', 'XENO_CANTO_API', 'TELEGRAM_API'];
/** Drawn settings may require more free space than any disk has, which the hub rightly reports. */
const complaint = 'the disk is full, and nothing may be purged';
const folder = useDataFolder({ killsProcesses: true });
let hub: TestHub;
let pids: (number | undefined)[];
let outcome: Outcome;

const readPids = () => hub.processes().map(({ process }) => process?.pid);

/** Posts so many recordings that random ids often exist; only the first have files, as probing these takes time. */
async function postKnown(): Promise<void> {
  mkdirSync(join(hub.recordingsDir, 'known'), { recursive: true });
  const client = createProcessorClient({ baseUrl: hub.baseUrl, retries: 0 });
  const firstAt = Date.parse('2026-05-01T00:00:00Z');
  const movie = aMovie();
  for (let index = 0; index < 300; index += 1) {
    const recording = steadyRecording({ name: 'known', index, start: firstAt + index * 300_000 });
    if (index < 4) writeFileSync(join(hub.recordingsDir, recording.video_path), movie);
    await client.postRecording(recording);
  }
}

/** Adds so many that random deletions leave some; nothing listens at their address. */
async function addSources(): Promise<void> {
  for (let index = 0; index < 12; index += 1) {
    const body = JSON.stringify({ kind: 'frigate', name: `known ${index}`, url: 'http://127.0.0.1:9' });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${hub.baseUrl}/api/ui/sources`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
  }
}

beforeAll(
  async () => {
    hub = await startHubIn(
      folder,
      Object.fromEntries(outsideServices.map((name) => [`${name}_URL`, 'http://127.0.0.1:9'])),
    );
    pids = readPids();
    await postKnown();
    await addSources();
    outcome = await sendMany(hub.baseUrl, { total, seed, cannotSucceed: needsMore });
    const { byStatus, slowest } = outcome;
    console.log(`${total} requests, seed ${seed}, slowest ${slowest.ms} ms: ${slowest.request}`, byStatus);
  },
  120_000 + total * 300,
);

describe('the hub', () => {
  it('for any request, responds in time and as in the contract, never with a failure', () => {
    expect(Object.fromEntries(outcome.faults)).toEqual({});
  });

  it('for each operation with valid input, succeeds at least once', () => {
    const succeeds = (id: string) => [...(outcome.byOperation.get(id) ?? [])].some((status) => status < 400);
    const never = operations.map(({ id }) => id).filter((id) => !succeeds(id));
    expect(never.filter((id) => !needsMore.includes(id))).toEqual([]);
  });

  it('after all requests, is healthy and runs in the same processes', async () => {
    const response = await fetch(`${hub.baseUrl}/api/ui/readiness`);
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'ok' }),
    ]);
    expect(readPids()).toEqual(pids);
    const lines = hub.output().split('\n');
    const errors = lines.filter(
      (line) => /"level":"(?:error|fatal)"/.test(line) && !line.includes(complaint),
    );
    expect(errors).toEqual([]);
  });
});
