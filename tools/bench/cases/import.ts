import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { dayMs } from '@birdhub/shared/time';
import { startBirdNetPi } from '@birdhub/testing/upstreams/birdnet-pi';
import { atMost } from '../report/judge.js';
import { startHub } from '../run/hub-process.js';
import type { BenchCase } from './bench-case.js';

const detections = 100_000;
const maxSeconds = 300;
const species = [
  ['Parus major', 'Great Tit'],
  ['Cyanistes caeruleus', 'Eurasian Blue Tit'],
  ['Erithacus rubecula', 'European Robin'],
  ['Turdus merula', 'Eurasian Blackbird'],
  ['Fringilla coelebs', 'Common Chaffinch'],
] as const;

/** Yields a detection every three minutes, the last one a day ago. */
function* listHistory() {
  const end = Date.now() - dayMs;
  for (let index = 0; index < detections; index += 1) {
    const [scientificName, commonName] = species[index % species.length] ?? species[0];
    yield { scientificName, commonName, at: end - (detections - index) * 180_000 };
  }
}

async function send(origin: string, path: string, body?: object) {
  const response = await fetch(`${origin}/api/ui/${path}`, {
    method: body ? 'POST' : 'GET',
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  // biome-ignore lint/suspicious/noExplicitAny: the shape is that of the contract.
  return (await response.json()) as any;
}

/** Imports the entire history of a source and returns the time in s. @throws when detections are missing */
async function importHistory(origin: string, path: string): Promise<number> {
  const { id } = await send(origin, 'sources', { kind: 'birdnet-pi', name: 'pi', path });
  const start = performance.now();
  const { job_id } = await send(origin, `sources/${id}/import`, { since: '2020-01-01', media: 'none' });
  for (;;) {
    const { jobs } = await send(origin, 'system/jobs?kind=import');
    const job = jobs.find((one: { job_id: number }) => one.job_id === job_id);
    if (job?.state === 'done') {
      const { imported, already_known } = job.result;
      if (imported + already_known !== detections) throw new Error(`imported: ${JSON.stringify(job.result)}`);
      return (performance.now() - start) / 1_000;
    }
    if (job?.state !== 'running') throw new Error(`the import ended: ${JSON.stringify(job)}`);
    await pause(500);
  }
}

/** The history of a BirdNET-Pi, without clips. */
export const importCase: BenchCase = {
  name: 'import',
  about: '100,000 detections of a BirdNET-Pi, without clips',
  kind: 'start',
  isWithoutStore: true,
  async run({ repository }) {
    const dataDir = await mkdtemp(join(tmpdir(), 'birdhub-import-'));
    const station = await startBirdNetPi();
    const hub = await startHub({ repository, dataDir });
    try {
      station.hearMany([...listHistory()]);
      const seconds = await importHistory(hub.origin, station.databaseFile);
      return [
        {
          title: 'import of 100,000 detections',
          single: { value: seconds, unit: 's' },
          verdict: atMost(seconds, maxSeconds, 's'),
        },
      ];
    } finally {
      await hub.stop();
      await station.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
