import pg from 'pg';
import { lastDate } from '../data-set/scale.js';
import { atLeastTimes, atMost } from '../report/judge.js';
import type { Comparison, ResultRow } from '../report/result-row.js';
import { listProcesses, readPss } from '../run/proc.js';
import { groupProcesses } from '../run/process-groups.js';
import type { BenchCase, HubBench } from './bench-case.js';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
/** Looking at a process takes longer than a piece of the export. */
const watchMs = 250;

interface Exported {
  rows: number;
  bytes: number;
  seconds: number;
  /** The longest wait for the first byte of a year. */
  firstByteMs: number;
  /** Most megabytes that the reports process had while it wrote. */
  megabytes: number;
}

function memoryOfReports({ hub }: HubBench): number {
  const pids = groupProcesses(listProcesses(), hub.roots).get('reports') ?? [];
  return pids.reduce((sum, { pid }) => sum + readPss(pid), 0) / 1e6;
}

/** Exports a year and reads it to its end. */
async function exportYear(bench: HubBench, end: number, total: Exported): Promise<void> {
  const { origin } = bench.hub;
  const window = `start_time=${(end - yearMs) / 1000}&end_time=${end / 1000}`;
  const startedAt = performance.now();
  const answer = await fetch(`${origin}/api/ui/timeline/export?format=csv&${window}`);
  if (!answer.ok || !answer.body) throw new Error(`the export was answered with ${answer.status}`);
  let firstByteMs: number | undefined;
  let lines = 0;
  for await (const chunk of answer.body) {
    firstByteMs ??= performance.now() - startedAt;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    total.bytes += chunk.length;
  }
  total.rows += lines - 1;
  total.seconds += (performance.now() - startedAt) / 1000;
  total.firstByteMs = Math.max(total.firstByteMs, firstByteMs ?? 0);
}

const sameRows = `
  SELECT visit.id, name, visit.start_time, visit.end_time, extract(epoch FROM visit.end_time - visit.start_time),
    max_simultaneous, visit.detection_count, temp, clouds
  FROM species_visit visit JOIN species ON species.id = visit.species_id LEFT JOIN (
    SELECT DISTINCT ON (visit_id) visit_id, weather_id FROM detection JOIN video ON video.id = video_id
    ORDER BY visit_id, video.start_time, video.id
  ) first ON visit_id = visit.id LEFT JOIN weather_snapshot air ON air.id = weather_id
  ORDER BY visit.start_time DESC, visit.id DESC`;

/** Rows per second when the database copies the same out by itself. */
async function copyOut(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    const { rowCount } = await client.query(`COPY (${sameRows}) TO STDOUT`);
    return ((rowCount ?? 0) * 1000) / (performance.now() - startedAt);
  } finally {
    await client.end();
  }
}

/** Every visit of the store as CSV, a year at a time, and what that takes. */
export const exportCase: BenchCase = {
  name: 'export',
  about: 'all visits as CSV, a year at a time',
  kind: 'load',
  async run(bench) {
    const { hub, scale } = bench;
    const end = Date.parse(lastDate) + dayMs;
    const start = end - scale.days * dayMs;
    const atRest = memoryOfReports(bench);
    const total: Exported = { rows: 0, bytes: 0, seconds: 0, firstByteMs: 0, megabytes: atRest };
    const watch = setInterval(() => {
      total.megabytes = Math.max(total.megabytes, memoryOfReports(bench));
    }, watchMs);
    for (let yearEnd = end; yearEnd > start; yearEnd -= yearMs) await exportYear(bench, yearEnd, total);
    clearInterval(watch);
    const copied = await copyOut(hub.databaseUrl);
    const limit: Comparison = {
      name: 'COPY TO STDOUT',
      value: copied,
      unit: '/s',
      ratio: total.rows / total.seconds / copied,
    };
    const title = `export of ${total.rows} visits`;
    const rows: ResultRow[] = [
      {
        title,
        single: { value: total.seconds, unit: 's' },
        limit,
        verdict: atLeastTimes(limit, 0.5),
      },
      {
        title: `${title}: first byte`,
        single: { value: total.firstByteMs / 1000, unit: 's' },
        verdict: atMost(total.firstByteMs, 300, 'ms'),
      },
      {
        title: `${title}: memory added to the reports service`,
        single: { value: total.megabytes - atRest, unit: 'MB' },
        verdict: atMost(total.megabytes - atRest, 60, 'MB'),
      },
    ];
    return rows;
  },
};
