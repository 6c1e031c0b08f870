import pg from 'pg';
import { fixedDays } from '../data-set/scale.js';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { type HubProcess, startHub } from '../run/hub-process.js';
import { createLoadMeter, type LoadMeter } from '../run/load-meter.js';
import { copyFolder } from '../run/work-copy.js';
import { type BenchCase, connectionCounts } from './bench-case.js';

/** A read route of the dashboard, and the maximum median latency without and with a cached response. */
interface Read {
  readonly name: string;
  readonly path: string;
  readonly coldMs: number;
  readonly warmMs: number;
}

const { date } = fixedDays.D1000;
const start = Date.parse(date) / 1_000;
const day = `start_time=${start}&end_time=${start + 86_400}`;

async function findMostFrequent(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: number }>(
      'SELECT species_id AS id FROM species_total ORDER BY visits DESC LIMIT 1',
    );
    if (!rows[0]) throw new Error('the store has no visits');
    return rows[0].id;
  } finally {
    await client.end();
  }
}

async function listReads({ databaseUrl }: HubProcess): Promise<Read[]> {
  const species = await findMostFrequent(databaseUrl);
  const own = (name: string, path: string, coldMs: number, warmMs = 0.7): Read => ({
    name,
    path: `/api/ui/${path}`,
    coldMs,
    warmMs,
  });
  return [
    own('overview of a day', `overview?date=${date}`, 4),
    own('calendar, active', 'migration-calendar', 4),
    own('calendar, full', 'migration-calendar?catalog=full', 4),
    own('species list', 'species', 4),
    own('summary of the commonest species', `species/${species}/summary`, 8),
    own('visits of the commonest species', `species/${species}/visits`, 10),
    own('100 doubtful detections', `unknowns?${day}`, 10),
  ];
}

async function measure(
  hub: HubProcess,
  meter: LoadMeter,
  { name, path }: Read,
  goalMs: number,
): Promise<ResultRow[]> {
  const rows: ResultRow[] = [];
  for (const connections of connectionCounts) {
    const plan = { kind: 'same', request: { method: 'GET', path } } as const;
    const row = await meter.measureHub(name, { origin: hub.origin, plan, connections });
    rows.push(connections === 1 ? { ...row, verdict: atMost(row.load.p50, goalMs, 'ms') } : row);
  }
  return rows;
}

/** The routes that dashboards poll, with cached responses. */
export const readsCase: BenchCase = {
  name: 'reads',
  about: 'overview, calendar, species and doubtful detections, asked for again',
  kind: 'load',
  async run({ hub, meter }) {
    const rows: ResultRow[] = [];
    for (const read of await listReads(hub))
      rows.push(...(await measure(hub, meter, { ...read, name: `${read.name}, warm` }, read.warmMs)));
    return rows;
  },
};

/** The same routes without cached responses. */
export const coldReadsCase: BenchCase = {
  name: 'reads-cold',
  about: 'overview, calendar, species and doubtful detections without kept answers',
  kind: 'start',
  async run({ repository, store, seconds }) {
    const copy = await copyFolder(store);
    try {
      const hub = await startHub({ repository, dataDir: copy.folder, answerCacheMb: 0 });
      try {
        const meter = createLoadMeter(hub, seconds);
        const rows: ResultRow[] = [];
        for (const read of await listReads(hub))
          rows.push(...(await measure(hub, meter, { ...read, name: `${read.name}, cold` }, read.coldMs)));
        return rows;
      } finally {
        await hub.stop();
      }
    } finally {
      await copy.remove();
    }
  },
};
