import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countStatements, insertManyVisits } from '@birdhub/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestReports, type TestReports } from './testing/create-test-reports.js';
import { createFakeCrops } from './testing/fake-crops.js';

const from = Date.UTC(2024, 0, 1);
const count = 12_000;
const year = `start_time=${from / 1000}&end_time=${from / 1000 + 366 * 86_400}`;
const exports = {
  csv: `/api/ui/timeline/export?${year}&format=csv`,
  json: `/api/ui/timeline/export?${year}&format=json`,
  zip: '/api/ui/dataset/export?start_date=2024-01-01&end_date=2024-03-01',
};

describe('exports with slow readers', () => {
  let reports: TestReports;
  let readers: IncomingMessage[] = [];

  const url = (path: string, { app } = reports) => {
    const { port } = app.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}${path}`;
  };
  let clients = 0;
  /** Sends a request and reads none of its body; by default each is of another client. */
  const ask = (path: string, of = reports, address = `192.0.2.${(clients++ % 250) + 1}`) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent: false, headers: { 'x-forwarded-for': address } };
      const request = get(url(path, of), options, (response) => {
        readers.push(response.pause());
        response.on('error', () => undefined);
        resolve(response);
      });
      request.on('error', reject);
    });
  const statusesOf = async (responses: Promise<IncomingMessage>[]) =>
    (await Promise.all(responses)).map(({ statusCode }) => statusCode).toSorted();
  const countSnapshots = async () => {
    const { rows } = await reports.database.pool.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`,
    );
    return rows[0]?.count;
  };
  async function leaveAll() {
    for (const reader of readers) reader.destroy();
    readers = [];
    await vi.waitFor(() => expect(reports.exportSlots.inUse).toBe(0));
    await vi.waitFor(async () => expect(await countSnapshots()).toBe(0));
  }

  beforeAll(async () => {
    const crops = createFakeCrops(100_000);
    reports = await createTestReports({ crops, stallTimeoutMs: 600_000, waitTimeoutMs: 1_000 });
    const { pool } = reports.database;
    await insertManyVisits(pool, { count, from, everyMs: 600_000 });
    // Long rows, as unread data must exceed the socket buffers.
    await pool.query(
      'UPDATE species SET name = repeat(name, 100) WHERE id IN (SELECT species_id FROM species_visit)',
    );
    await pool.query(
      `INSERT INTO detection_track SELECT id, '[{"t":1,"bbox":[0.1,0.1,0.4,0.4]}]' FROM detection LIMIT 2000`,
    );
    await reports.app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterEach(leaveAll);
  afterAll(() => reports.close());

  it.each(Object.keys(exports) as (keyof typeof exports)[])(
    'thirty of %s, are three exports and 27 busy with Retry-After, and other routes respond',
    async (kind) => {
      const statuses = statusesOf(Array.from({ length: 30 }, () => ask(exports[kind])));
      for (const path of [
        '/api/ui/dataset/preview?start_date=2024-01-01&end_date=2024-01-02',
        '/api/ui/report/pdf?month=2024-02',
      ])
        expect((await fetch(url(path))).status, path).toBe(200);
      expect(await statuses).toEqual([200, 200, 200, ...Array<number>(27).fill(503)]);
      expect(await countSnapshots()).toBeLessThanOrEqual(3);
      const refused = await fetch(url(exports.csv));
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await refused.json()).toMatchObject({ code: 'busy' });
    },
  );

  it('five of one client, are two exports and three busy, and another client gets one', async () => {
    const own = '2001:db8:1:2::9';
    const statuses = statusesOf(
      Array.from({ length: 5 }, (_, at) => ask(exports.csv, reports, at % 2 ? own : '2001:db8:1:2::7')),
    );
    expect(await statuses).toEqual([200, 200, 503, 503, 503]);
    expect((await ask(exports.csv)).statusCode).toBe(200);
    const refused = await ask(exports.csv, reports, own);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
  });

  it('one of a client that waits, starts when another one of its own ends', async () => {
    const { database } = reports;
    const patient = await createTestReports({ database, stallTimeoutMs: 600_000, waitTimeoutMs: 60_000 });
    await patient.app.listen({ port: 0, host: '127.0.0.1' });
    const own = '192.0.2.251';
    const [first] = await Promise.all([1, 2].map(() => ask(exports.csv, patient, own)));
    const waiting = ask(exports.csv, patient, own);
    expect((await ask(exports.csv, patient)).statusCode).toBe(200);
    first?.destroy();
    expect((await waiting).statusCode).toBe(200);
    await leaveAll();
    await patient.close();
  });

  it('a reader that disconnects, frees its slot at once for one that waits', async () => {
    const { database } = reports;
    const patient = await createTestReports({ database, stallTimeoutMs: 600_000, waitTimeoutMs: 60_000 });
    await patient.app.listen({ port: 0, host: '127.0.0.1' });
    const [first] = await Promise.all([1, 2, 3].map(() => ask(exports.csv, patient)));
    const waiting = ask(exports.csv, patient);
    first?.destroy();
    expect((await waiting).statusCode).toBe(200);
    await leaveAll();
    await patient.close();
  });

  it('a client that disconnects while it waits, takes no slot', async () => {
    await Promise.all([ask(exports.csv), ask(exports.csv), ask(exports.csv)]);
    const leaving = get(url(exports.csv), { agent: false }).on('error', () => undefined);
    leaving.once('socket', (socket) =>
      socket.once('connect', () => setTimeout(() => leaving.destroy(), 100)),
    );
    await vi.waitUntil(() => leaving.destroyed);
    await leaveAll();
  });

  it('a reader that reads nothing, is disconnected after the stall timeout and frees its slot', async () => {
    const { database } = reports;
    const impatient = await createTestReports({
      database,
      crops: createFakeCrops(100_000),
      stallTimeoutMs: 300,
    });
    await impatient.app.listen({ port: 0, host: '127.0.0.1' });
    await Promise.all([exports.csv, exports.json, exports.zip].map((path) => ask(path, impatient)));
    await vi.waitFor(() => expect(impatient.exportSlots.inUse).toBe(0));
    expect(await countSnapshots()).toBe(0);
    await leaveAll();
    await impatient.close();
  });

  it('a reader that reads everything, gets everything beside two that stall', async () => {
    await Promise.all([ask(exports.json), ask(exports.json)]);
    const rows = (await (await fetch(url(exports.json))).json()) as unknown[];
    expect(rows.length).toBeGreaterThan(count - 10);
  });

  it.each([
    [exports.csv, 0],
    [exports.json, 0],
    [`/api/ui/timeline/export?${year}&format=ebird`, 0],
    ['/api/ui/report/pdf?month=2024-02', 0],
    // One statement checks whether there is anything to export.
    [exports.zip, 1],
  ])('HEAD %s, has the headers of GET and takes %d statements', async (path, expected) => {
    const names = ['content-type', 'content-disposition', 'cache-control'];
    const headersOf = (response: Response) => names.map((name) => response.headers.get(name));
    await reports.settings.current();
    let head: Response | undefined;
    const statements = await countStatements(reports.database.pool, async () => {
      head = await fetch(url(path), { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    });
    expect(statements).toBe(expected);
    const leaving = new AbortController();
    const response = await fetch(url(path), { signal: leaving.signal });
    expect(head && headersOf(head)).toEqual(headersOf(response));
    leaving.abort();
  });

  it.each(['csv', 'json', 'ebird'])(
    'HEAD as %s, while all slots are taken, returns the headers',
    async (format) => {
      await Promise.all([ask(exports.csv), ask(exports.csv), ask(exports.csv)]);
      const head = await fetch(url(`/api/ui/timeline/export?${year}&format=${format}`), { method: 'HEAD' });
      expect(head.status).toBe(200);
      expect(reports.exportSlots.inUse).toBe(3);
    },
  );

  it('HEAD with a bad parameter, is refused like GET', async () => {
    const head = await fetch(url('/api/ui/timeline/export?date=2024-02-31'), { method: 'HEAD' });
    expect(head.status).toBe(400);
  });
});
