import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { checkOut } from '../run/checkout.js';
import { startHub } from '../run/hub-process.js';
import { copyFolder } from '../run/work-copy.js';
import type { BenchCase } from './bench-case.js';

async function timeStart(repository: string, dataDir: string): Promise<number> {
  const hub = await startHub({ repository, dataDir });
  await hub.stop();
  return hub.startSeconds;
}

function toRow(title: string, seconds: number, goal: number): ResultRow {
  return { title, single: { value: seconds, unit: 's' }, verdict: atMost(seconds, goal, 's') };
}

/** Starts a clone without a build and data, and then starts it again. */
async function startFresh(repository: string): Promise<ResultRow[]> {
  const checkout = await checkOut(repository, 'HEAD');
  const parent = await mkdtemp(join(tmpdir(), 'birdhub-start-'));
  const dataDir = join(parent, 'data');
  try {
    const first = await timeStart(checkout.folder, dataDir);
    const second = await timeStart(checkout.folder, dataDir);
    return [
      toRow('first start of an installed clone', first, 8),
      toRow('second start, little data', second, 3),
    ];
  } finally {
    await rm(parent, { recursive: true, force: true });
    await checkout.remove();
  }
}

async function startWithData(repository: string, store: string): Promise<ResultRow[]> {
  const copy = await copyFolder(store);
  try {
    return [toRow('start with the data set in place', await timeStart(repository, copy.folder), 3)];
  } finally {
    await copy.remove();
  }
}

/** The time from `npm start` until the hub reports that it is ready. */
export const startUpCase: BenchCase = {
  name: 'start-up',
  about: 'from the command to readiness, in a clone of HEAD and with data in place',
  kind: 'start',
  async run({ repository, store }) {
    return [...(await startFresh(repository)), ...(await startWithData(repository, store))];
  },
};
