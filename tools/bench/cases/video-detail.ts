import { dayMs } from '@birdhub/shared/time';
import pg from 'pg';
import { lastDate } from '../data-set/scale.js';
import { atMost, compareLatency } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import type { RequestPlan } from '../run/request-source.js';
import { withConstantResponse } from '../run/with-limit.js';
import { type BenchCase, connectionCounts, type HubBench } from './bench-case.js';

const path = '/api/ui/videos/';

/** Returns the first id and the number of the recordings with stored boxes; their ids are consecutive. */
async function findVideos({ hub, scale }: HubBench): Promise<{ first: number; count: number }> {
  const client = new pg.Client({ connectionString: hub.databaseUrl });
  await client.connect();
  try {
    const days = [Date.parse(lastDate) - (scale.daysWithBoxes - 1) * dayMs, Date.parse(lastDate) + dayMs];
    const { rows } = await client.query<{ first: number; count: number }>(
      `SELECT min(id)::int AS first, count(*)::int AS count FROM video
       WHERE start_time >= $1 AND start_time < $2 AND processor_version = 'bench' AND content_hash <> ''
         AND video_path NOT LIKE 'bench/%'`,
      days.map((at) => new Date(at)),
    );
    const [found] = rows;
    if (!found?.count) throw new Error('the store has no recordings');
    return found;
  } finally {
    await client.end();
  }
}

async function measure(
  bench: HubBench,
  title: string,
  plan: RequestPlan,
  bytes: number,
): Promise<ResultRow[]> {
  const { hub, meter } = bench;
  return withConstantResponse(bytes, async (limitOrigin) => {
    const rows: ResultRow[] = [];
    for (const connections of connectionCounts) {
      const row = await meter.measureHub(title, { origin: hub.origin, plan, connections });
      const limit = await meter.measureLimit(`limit: Fastify, prebuilt string of ${bytes} bytes`, {
        origin: limitOrigin,
        plan: { kind: 'same', request: { method: 'GET', path: '/' } },
        connections,
      });
      const judged = { ...row, limit: compareLatency(row.load, 'prebuilt string', limit.load) };
      rows.push(connections === 1 ? { ...judged, verdict: atMost(row.load.p50, 3, 'ms') } : judged, limit);
    }
    return rows;
  });
}

/** A recording with its boxes: a different one each time, and the same one repeatedly. */
export const videoDetailCase: BenchCase = {
  name: 'video-detail',
  about: 'one recording with detections, boxes, weather and food',
  kind: 'load',
  async run(bench) {
    const { first, count } = await findVideos(bench);
    const one = `${path}${first + Math.floor(count / 2)}`;
    const response = await fetch(`${bench.hub.origin}${one}`);
    if (!response.ok) throw new Error(`${one} was answered with ${response.status}`);
    const { byteLength } = await response.arrayBuffer();
    const cold = { kind: 'each-of-many', path, first, count } as const;
    const warm = { kind: 'same', request: { method: 'GET', path: one } } as const;
    return [
      ...(await measure(bench, 'video detail cold', cold, byteLength)),
      ...(await measure(bench, 'video detail warm', warm, byteLength)),
    ];
  },
};
