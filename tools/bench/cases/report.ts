import pg from 'pg';
import { fixedDays } from '../data-set/scale.js';
import { atMost } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import { internalSecret } from '../run/hub-process.js';
import { watchMemory } from '../run/memory-watch.js';
import { readResponse } from '../run/read-response.js';
import type { BenchCase, HubBench } from './bench-case.js';

/** A month after the end of the data set. */
const month = '2026-03';
const visits = 50_000;
const repeats = 3;

const { date } = fixedDays.D1000;
const overview = { method: 'GET', path: `/api/ui/overview?date=${date}` } as const;
/** Bypasses the gateway, whose limits would refuse so many requests. */
const headers = { 'x-hub-internal': internalSecret };
const smallExport = { method: 'GET', path: `/api/ui/timeline/export?date=${date}`, headers } as const;

/** Inserts visits of all species alternately, so that visits of one species are far apart. */
const fillSql = `
  INSERT INTO species_visit (species_id, start_time, end_time, max_simultaneous, detection_count, video_count)
  SELECT kinds.ids[1 + number % cardinality(kinds.ids)], start_time, start_time + interval '20 seconds',
    1 + number % 3, 2, 1
  FROM (SELECT array_agg(species_id ORDER BY species_id) AS ids FROM species_total) kinds, generate_series(0, $1 - 1) number,
    LATERAL (SELECT $2::date + number * (interval '31 days' / $1) AS start_time) moment`;

async function withFullMonth<T>({ hub }: HubBench, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: hub.databaseUrl });
  await client.connect();
  try {
    await client.query(fillSql, [visits, `${month}-01`]);
    await client.query('ANALYZE species_visit');
    return await work();
  } finally {
    await client.query('DELETE FROM species_visit WHERE start_time >= $1', [`${month}-01`]);
    await client.end();
  }
}

/** Measures the last of several reports, and the memory that they add to the reports process. */
async function measureReport(url: string, { hub }: HubBench): Promise<ResultRow[]> {
  const memory = watchMemory(hub.roots, 'reports');
  let seconds = Number.NaN;
  for (let repeat = 0; repeat < repeats; repeat += 1) ({ seconds } = await readResponse(url, headers));
  const megabytes = memory.stop();
  const title = `report of ${visits} visits`;
  return [
    { title, single: { value: seconds, unit: 's' }, verdict: atMost(seconds, 2, 's') },
    {
      title: `${title}: memory added to the reports service`,
      single: { value: megabytes, unit: 'MB' },
      verdict: atMost(megabytes, 120, 'MB'),
    },
  ];
}

/** Renders reports continuously while `work` runs. */
async function whileRendering<T>(url: string, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const render = async () => {
    while (!isDone) await readResponse(url, headers);
  };
  const rendering = render();
  try {
    return await work();
  } finally {
    isDone = true;
    await rendering;
  }
}

/** Measures another route with one connection, alone and while reports are rendered. */
async function measureOther(
  name: string,
  origin: string,
  request: typeof overview | typeof smallExport,
  { url, meter }: { url: string; meter: HubBench['meter'] },
): Promise<ResultRow[]> {
  const load = { origin, plan: { kind: 'same', request }, connections: 1 } as const;
  const alone = await meter.measureHub(`${name}, alone`, load);
  const beside = await whileRendering(url, () => meter.measureHub(`${name}, while reports are made`, load));
  const added = atMost(beside.load.p99 - alone.load.p99, 20, 'ms', 'p99 adds ');
  return [alone, { ...beside, verdict: added }];
}

/** The PDF of a full month, and its effect on other requests. */
export const reportCase: BenchCase = {
  name: 'report',
  about: `the PDF of a month of ${visits} visits, and other answers beside it`,
  kind: 'load',
  run: (bench) =>
    withFullMonth(bench, async () => {
      const { hub, meter } = bench;
      const url = `${hub.originOf('reports')}/api/ui/report/pdf?month=${month}`;
      return [
        ...(await measureReport(url, bench)),
        ...(await measureOther('overview of a day', hub.origin, overview, { url, meter })),
        ...(await measureOther('export of a day, by the same service', hub.originOf('reports'), smallExport, {
          url,
          meter,
        })),
      ];
    }),
};
