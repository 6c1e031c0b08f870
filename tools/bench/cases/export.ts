import { setTimeout as sleep } from 'node:timers/promises';
import { dayMs } from '@birdhub/shared/time';
import pg from 'pg';
import { lastDate } from '../data-set/scale.js';
import { atLeastTimes, atMost } from '../report/judge.js';
import type { Comparison, ResultRow } from '../report/result-row.js';
import { listProcesses, readPss } from '../run/proc.js';
import { groupProcesses } from '../run/process-groups.js';
import { median } from '../run/quantile.js';
import type { BenchCase, HubBench } from './bench-case.js';

const yearMs = 365 * dayMs;
/** Not shorter, as reading the memory of a process takes longer than a chunk of the export. */
const watchMs = 250;
const firstBytes = 5;
const leftMs = 1_000;
/** Time after which an idle service has released its unused memory. */
const restMs = 6_000;

interface Exported {
  rows: number;
  bytes: number;
  seconds: number;
  /** Maximum time to the first byte of a year. */
  firstByteMs: number;
  /** Maximum memory of the reports process during the export. */
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
  const response = await fetch(`${origin}/api/ui/timeline/export?format=csv&${window}`);
  if (!response.ok || !response.body) throw new Error(`the export was answered with ${response.status}`);
  let firstByteMs: number | undefined;
  let lines = 0;
  for await (const chunk of response.body) {
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

/** Returns the rows per second of a plain COPY of the same rows. */
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

/** Hand-written statements for the rows of the tables in a Camtrap DP package of a window. */
const camtrapRows = [
  `SELECT id, camera_id, start_time, video_path, favorite, note FROM video WHERE start_time >= $1 AND start_time < $2`,
  `SELECT visit.id, camera_id, min(video.start_time), max(detection.end_time), name, scientific_name, max_simultaneous,
     max(confidence), bool_or(reviewed), max(detection_provider)
   FROM species_visit visit JOIN species ON species.id = visit.species_id JOIN detection ON visit_id = visit.id
     JOIN video ON video.id = video_id
   WHERE video.start_time >= $1 AND video.start_time < $2
   GROUP BY visit.id, camera_id, name, scientific_name, max_simultaneous`,
  `SELECT detection.id, video_id, visit_id, detection.start_time, detection.end_time, name, scientific_name, confidence,
     reviewed, source, detection_provider, box.*
   FROM detection JOIN video ON video.id = video_id JOIN species ON species.id = species_id
     LEFT JOIN detection_track ON detection_id = detection.id
     LEFT JOIN LATERAL (
       SELECT frame -> 'bbox' FROM json_array_elements(frames) frame
       ORDER BY ((frame #>> '{bbox,2}')::float8 - (frame #>> '{bbox,0}')::float8)
         * ((frame #>> '{bbox,3}')::float8 - (frame #>> '{bbox,1}')::float8) DESC LIMIT 1
     ) box ON true
   WHERE video.start_time >= $1 AND video.start_time < $2`,
];

/** Returns the time of a plain COPY of the rows of a year, in s. */
async function copyYear(databaseUrl: string, start: number, end: number): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const startedAt = performance.now();
    for (const rows of camtrapRows) {
      const [from, to] = [start, end].map((at) => `'${new Date(at).toISOString()}'::timestamptz`);
      await client.query(`COPY (${rows.replaceAll('$1', from ?? '').replaceAll('$2', to ?? '')}) TO STDOUT`);
    }
    return (performance.now() - startedAt) / 1000;
  } finally {
    await client.end();
  }
}

/**
 * Exports a window as a scientific archive and reads it to its end or its first byte; returns the time in ms.
 */
async function exportArchive(
  { hub }: HubBench,
  format: string,
  { start, end }: { readonly start: number; readonly end: number },
  until: 'end' | 'first byte' = 'end',
): Promise<number> {
  const startedAt = performance.now();
  const window = `start_time=${start / 1000}&end_time=${end / 1000}`;
  const response = await fetch(`${hub.origin}/api/ui/timeline/export?format=${format}&${window}`);
  if (!response.ok || !response.body) throw new Error(`the export was answered with ${response.status}`);
  // Leaving the loop ends the request.
  for await (const _chunk of response.body) if (until === 'first byte') break;
  return performance.now() - startedAt;
}

/** Returns the median time to the first byte of an archive, in ms. */
async function timeFirstByte(bench: HubBench, format: string, window: { start: number; end: number }) {
  const times: number[] = [];
  for (let at = 0; at < firstBytes; at += 1) {
    times.push(await exportArchive(bench, format, window, 'first byte'));
    // The hub is still aborting the previous export.
    await sleep(leftMs);
  }
  return median(times);
}

/** Runs `work` and returns the maximum memory that the reports process adds to that at rest, in MB. */
async function watchMemory<T>(
  bench: HubBench,
  work: () => Promise<T>,
): Promise<{ result: T; megabytes: number }> {
  await sleep(restMs);
  const atRest = memoryOfReports(bench);
  let max = atRest;
  const watch = setInterval(() => {
    max = Math.max(max, memoryOfReports(bench));
  }, watchMs);
  const result = await work().finally(() => clearInterval(watch));
  return { result, megabytes: max - atRest };
}

/** The last year of the store as scientific archives. */
export const scienceExportCase: BenchCase = {
  name: 'science-export',
  about: 'a year as Camtrap DP and as Darwin Core',
  kind: 'load',
  async run(bench) {
    const { hub } = bench;
    const end = Date.parse(lastDate) + dayMs;
    const place = { secrets: { latitude: '51.5', longitude: '-0.1' } };
    const stored = await fetch(`${hub.origin}/api/ui/settings`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(place),
    });
    if (!stored.ok) throw new Error(`storing the place returned ${stored.status}`);
    const copied = await copyYear(hub.databaseUrl, end - yearMs, end);
    const rows: ResultRow[] = [];
    for (const format of ['camtrap-dp', 'dwca']) {
      const year = { start: end - yearMs, end };
      // Also warms up the service, whose first archive needs more memory.
      const firstByteMs = await timeFirstByte(bench, format, year);
      const half = { start: end - yearMs / 2, end };
      const short = await watchMemory(bench, () => exportArchive(bench, format, half));
      const long = await watchMemory(bench, () => exportArchive(bench, format, year));
      const seconds = long.result / 1000;
      const limit: Comparison = { name: 'COPY TO STDOUT', value: copied, unit: 's', ratio: copied / seconds };
      rows.push(
        {
          title: `a year as ${format}`,
          single: { value: seconds, unit: 's' },
          limit,
          verdict: atLeastTimes(limit, 0.4),
        },
        {
          title: `a year as ${format}: first byte`,
          single: { value: firstByteMs / 1000, unit: 's' },
          verdict: atMost(firstByteMs, 100, 'ms'),
        },
        {
          title: `half a year as ${format}: memory added to the reports service`,
          single: { value: short.megabytes, unit: 'MB' },
        },
        {
          title: `a year as ${format}: memory added to the reports service`,
          single: { value: long.megabytes, unit: 'MB' },
          // The memory must not depend on the length of the archive.
          verdict: atMost(long.megabytes - short.megabytes, 15, 'MB more than half a year'),
        },
      );
    }
    return rows;
  },
};

/** All visits of the store as CSV, a year at a time. */
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
        verdict: atLeastTimes(limit, 0.6),
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
