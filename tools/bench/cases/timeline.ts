import { dayMs } from '@birdhub/shared/time';
import { fixedDays } from '../data-set/scale.js';
import { atMost, atMostTimes, compareLatency } from '../report/judge.js';
import type { ResultRow } from '../report/result-row.js';
import type { LoadMeter } from '../run/load-meter.js';
import type { WireRequest } from '../run/wire-request.js';
import { withConstantResponse, withOneStatement } from '../run/with-limit.js';
import { type BenchCase, connectionCounts, type HubBench } from './bench-case.js';
import { requireSameItems } from './same-items.js';

const path = '/api/ui/timeline';

interface Day {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly request: WireRequest;
}

const days = Object.entries(fixedDays).map(([name, { date }]): Day => {
  const start = Date.parse(date);
  const end = start + dayMs;
  const query = `start_time=${start / 1000}&end_time=${end / 1000}`;
  return { name, start, end, request: { method: 'GET', path: `${path}?${query}` } };
});

async function measureCold({ hub, meter }: HubBench, { name, start, end }: Day): Promise<ResultRow[]> {
  return withOneStatement(hub.databaseUrl, async (limitOrigin) => {
    const window = { kind: 'shifting-window', start, end } as const;
    await requireSameItems([`${hub.origin}${path}`, `${limitOrigin}/timeline`], window);
    const rows: ResultRow[] = [];
    for (const connections of connectionCounts) {
      const row = await meter.measureHub(`timeline ${name} cold`, {
        origin: hub.origin,
        plan: { ...window, path },
        connections,
      });
      const limit = await meter.measureLimit(`limit: Fastify + pg, one statement, ${name}`, {
        origin: limitOrigin,
        plan: { ...window, path: '/timeline' },
        connections,
      });
      const ratio = compareLatency(row.load, 'one statement', limit.load);
      rows.push({ ...row, limit: ratio, verdict: atMostTimes(ratio, 1.1) }, limit);
    }
    return rows;
  });
}

async function measureWarm({ hub, meter }: HubBench, { name, request }: Day): Promise<ResultRow[]> {
  const plan = { kind: 'same', request } as const;
  const response = await fetch(`${hub.origin}${request.path}`);
  const { byteLength } = await response.arrayBuffer();
  return withConstantResponse(byteLength, async (limitOrigin) => {
    const rows: ResultRow[] = [];
    for (const connections of connectionCounts) {
      const row = await meter.measureHub(`timeline ${name} warm`, { origin: hub.origin, plan, connections });
      const limit = await meter.measureLimit(`limit: Fastify, prebuilt string, ${name}`, {
        origin: limitOrigin,
        plan: { kind: 'same', request: { method: 'GET', path: '/' } },
        connections,
      });
      const ratio = compareLatency(row.load, 'prebuilt string', limit.load);
      rows.push({ ...row, limit: ratio, verdict: atMostTimes(ratio, 1.2) }, limit);
    }
    return rows;
  });
}

/** Measures a cached response that is sent packed, as browsers request it. */
async function measurePacked(meter: LoadMeter, origin: string, { name, request }: Day): Promise<ResultRow[]> {
  const plan = { kind: 'same', request: { ...request, headers: { 'accept-encoding': 'br' } } } as const;
  const rows: ResultRow[] = [];
  for (const connections of connectionCounts) {
    const row = await meter.measureHub(`timeline ${name} packed, warm`, { origin, plan, connections });
    rows.push({ ...row, verdict: atMost(row.load.bytes / 1_024, 90, 'KB') });
  }
  return rows;
}

async function measureUnchanged(
  meter: LoadMeter,
  origin: string,
  { name, request }: Day,
): Promise<ResultRow[]> {
  const response = await fetch(`${origin}${request.path}`);
  await response.arrayBuffer();
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' };
  const plan = { kind: 'same', request: { ...request, headers } } as const;
  const rows: ResultRow[] = [];
  for (const connections of connectionCounts) {
    const row = await meter.measureHub(`timeline ${name} 304`, {
      origin,
      plan,
      connections,
      expectedStatus: 304,
    });
    rows.push(connections === 1 ? { ...row, verdict: atMost(row.load.p50, 0.5, 'ms') } : row);
  }
  return rows;
}

/** The busiest day and an ordinary one: not cached, cached by the hub, packed, and cached by the client. */
export const timelineCase: BenchCase = {
  name: 'timeline',
  about: 'one day of visits, cold, warm, packed and unchanged',
  kind: 'load',
  async run(bench) {
    const rows: ResultRow[] = [];
    for (const day of days) {
      rows.push(...(await measureCold(bench, day)));
      rows.push(...(await measureWarm(bench, day)));
      rows.push(...(await measurePacked(bench.meter, bench.hub.origin, day)));
      rows.push(...(await measureUnchanged(bench.meter, bench.hub.origin, day)));
    }
    return rows;
  },
};
