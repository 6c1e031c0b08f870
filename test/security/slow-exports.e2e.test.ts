import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { openDatabase } from '@birdhub/shared/db';
import { createLog } from '@birdhub/shared/log';
import { insertManyVisits } from '@birdhub/testing';
import type { TestHub } from '@birdhub/testing/hub';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { inOneProcess, startHubIn, useDataFolder } from '../e2e/fixtures/temporary-hub.js';

const folder = useDataFolder();
const from = Date.UTC(2024, 0, 1);
const year = `start_time=${from / 1000}&end_time=${from / 1000 + 366 * 86_400}`;
const formats = ['csv', 'json', 'ebird'] as const;

let hub: TestHub;
let database: ReturnType<typeof openDatabase>;
let pool: pg.Pool;
let readers: Socket[] = [];

beforeAll(async () => {
  // Readers are disconnected only by the end of a test.
  hub = await startHubIn(folder, { ...inOneProcess, EXPORT_STALL_SECONDS: '600' });
  database = openDatabase({ url: hub.databaseUrl, max: 2, name: 'test', log: createLog('test', 'silent') });
  pool = database.pool;
  await insertManyVisits(pool, { count: 50_000, from, everyMs: 600_000 });
  // Long rows: unread data must exceed the buffers of all sockets on the way.
  await pool.query(
    'UPDATE species SET name = repeat(name, 30) WHERE id IN (SELECT species_id FROM species_visit)',
  );
});
afterEach(disconnectAll);
afterAll(() => database?.close());

/** Sends a request, waits for the head of the response and reads no more. */
async function readHeadOnly(path: string, address: string): Promise<{ status: number; head: string }> {
  const { hostname, port } = new URL(hub.baseUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined);
  readers.push(socket);
  // Each comes from its own address, as the limits of one address are tested elsewhere.
  socket.write(`GET ${path} HTTP/1.1\r\nHost: hub\r\nX-Forwarded-For: ${address}\r\n\r\n`);
  const [data] = (await once(socket, 'data')) as [Buffer];
  socket.pause();
  const [head = ''] = data.toString('latin1').split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), head };
}

async function countTransactions(): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*) FROM pg_stat_activity
     WHERE application_name = 'birdhub-reports' AND state LIKE 'idle in transaction%'`,
  );
  return rows[0]?.count ?? Number.NaN;
}

async function disconnectAll() {
  for (const reader of readers) reader.destroy();
  readers = [];
  await vi.waitFor(async () => expect(await countTransactions()).toBe(0), { interval: 200 });
}

async function ask(path: string): Promise<number> {
  const response = await fetch(hub.baseUrl + path);
  await response.arrayBuffer();
  return response.status;
}

const others: [string, number][] = [
  ['/api/ui/dataset/preview?start_date=2024-01-01&end_date=2024-01-07', 200],
  ['/api/ui/detections/999999/crop', 404],
  ['/api/ui/report/pdf?month=2019-01', 200],
  ['/api/ui/readiness', 200],
];

describe('export readers that read nothing', () => {
  it.each([10, 30])(
    '%d per format, hold three snapshots in all, and every other route responds',
    async (count) => {
      const asked = formats.flatMap((format, kind) =>
        Array.from({ length: count }, (_, number) =>
          readHeadOnly(`/api/ui/timeline/export?${year}&format=${format}`, `203.0.${kind + 1}.${number + 1}`),
        ),
      );
      const responses = Promise.all(asked);
      await vi.waitFor(async () => expect(await countTransactions()).toBe(3));
      for (const [path, status] of others) expect(await ask(path), path).toBe(status);
      expect(await countTransactions()).toBe(3);
      const heads = await responses;
      for (const { status, head } of heads.filter(({ status: found }) => found !== 200)) {
        expect(status, head).toBe(503);
        expect(head).toMatch(/^retry-after: \d+$/im);
      }
      expect(heads.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(3);
      expect(await countTransactions()).toBeLessThanOrEqual(3);
    },
  );

  it('after they have left, do not affect a complete export', async () => {
    const response = await fetch(`${hub.baseUrl}/api/ui/timeline/export?${year}&format=json`);
    expect((await response.json()) as unknown[]).toHaveLength(50_000);
  });

  it('in all places, do not delay a HEAD of an export', async () => {
    const path = `/api/ui/timeline/export?${year}&format=csv`;
    await Promise.all([1, 2, 3].map((number) => readHeadOnly(path, `203.0.113.${number}`)));
    for (const format of formats) {
      const head = await fetch(`${hub.baseUrl}/api/ui/timeline/export?${year}&format=${format}`, {
        method: 'HEAD',
      });
      expect([head.status, head.headers.get('content-disposition')], format).toEqual([
        200,
        expect.stringMatching(/^attachment; filename="birdhub_/),
      ]);
    }
    expect(await countTransactions()).toBeLessThanOrEqual(3);
  });
});
