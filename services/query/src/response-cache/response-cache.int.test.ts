import { get as httpGet, type IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { aRecording, countStatements, insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';

const path = '/api/ui/timeline?date=2026-05-01';

describe('a cached route', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
    await query.post();
  });
  afterAll(() => query.close());

  it('requested again, takes no statement', async () => {
    const first = await query.get(path);
    expect(await query.countStatements(path)).toBe(0);
    expect((await query.get(path)).body).toEqual(first.body);
  });

  it('requested first, is JSON with a weak tag that must be revalidated', async () => {
    const { headers } = await query.get(path);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
      etag: expect.stringMatching(/^W\/"[\w-]+"$/),
    });
  });

  it('GET with a matching If-None-Match, returns 304 without a body', async () => {
    const { headers } = await query.get(path);
    const again = await query.get(path, { 'if-none-match': `"x", ${headers['etag']}` });
    expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    expect(again.headers['cache-control']).toBe('no-cache');
    expect((await query.get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('after a recording of that day was posted, shows it to the client that posted', async () => {
    const before = await query.get(path);
    await query.post(aRecording({ start: Date.UTC(2026, 4, 1, 20) }));
    const after = await query.get(path, { 'if-none-match': String(before.headers['etag']) });
    expect([after.status, after.body.length]).toEqual([200, before.body.length + 1]);
  });

  it('after a recording of that day was posted, soon shows it to others', async () => {
    const before = (await query.get(path)).body.length;
    await query.writer.post(aRecording({ start: Date.UTC(2026, 4, 1, 21) }), 'test');
    const others = async () => (await query.get(path, { 'x-hub-consistency-token': '' })).body.length;
    await vi.waitUntil(async () => (await others()) === before + 1);
  });

  it('after a recording of another day was posted, still takes no statement', async () => {
    await query.get(path);
    await query.post(aRecording({ start: Date.UTC(2026, 4, 9) }));
    expect(await query.countStatements(path)).toBe(0);
  });

  it('after a recording extended a visit from before the window, shows the visit', async () => {
    const start = Date.UTC(2026, 4, 3, 8);
    const window = `/api/ui/timeline?start_time=${start / 1000 + 50}&end_time=${start / 1000 + 80}`;
    await query.post(aRecording({ start }));
    expect((await query.get(window)).body).toEqual([]);
    await query.post(aRecording({ start: start + 52_000 }));
    expect((await query.get(window)).body).toMatchObject([{ start_time: '2026-05-03T08:00:00+00:00' }]);
  });

  it('after the connection of the listener was killed, shows what was posted since', async () => {
    await query.get(path);
    const before = (await query.get(path)).body.length;
    await query.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'birdhub-changes' AND datname = current_database()`,
    );
    await query.post(aRecording({ start: Date.UTC(2026, 4, 1, 22) }));
    expect((await query.get(path)).body).toHaveLength(before + 1);
  });
});

describe('a cached route whose response is compressed', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 4, 4);
  const window = (hours: number) =>
    `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + hours * 3_600}`;
  beforeAll(async () => {
    query = await createTestQuery();
    await insertManyVisits(query.database.pool, { count: 200, from, everyMs: 120_000 });
  });
  afterAll(() => query.close());

  const inject = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    query.app.inject({ method, url, headers });
  const codings = { br: brotliDecompressSync, gzip: gunzipSync } as const;
  let posted = 0;

  it.each(['br', 'gzip'] as const)('%s, has the content of the plain response', async (coding) => {
    const plain = await inject(window(6));
    expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, 'accept-encoding']);
    const compressed = await inject(window(6), { 'accept-encoding': coding });
    expect(compressed.headers).toMatchObject({
      'content-encoding': coding,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(compressed.rawPayload.length),
      vary: 'accept-encoding',
      etag: plain.headers.etag,
    });
    expect(codings[coding](compressed.rawPayload)).toEqual(plain.rawPayload);
  });

  it.each([{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }])(
    'GET %j with a matching If-None-Match, returns 304 until something changes',
    async (headers) => {
      const { etag = '' } = (await inject(window(5), headers)).headers;
      const unchanged = await inject(window(5), { ...headers, 'if-none-match': String(etag) });
      expect([unchanged.statusCode, unchanged.rawPayload.length]).toEqual([304, 0]);
      expect(unchanged.headers).toMatchObject({ etag, vary: 'accept-encoding' });
      expect(unchanged.headers['content-encoding']).toBeUndefined();
      posted += 1;
      await query.post(aRecording({ start: from + posted * 3_600_000 + 60_000 }));
      const { status } = await query.get(window(5), { ...headers, 'if-none-match': String(etag) });
      expect(status).toBe(200);
    },
  );

  it.each([{}, { 'accept-encoding': 'br' }])('HEAD %j, has the headers of the GET', async (headers) => {
    const [get, head] = [await inject(window(6), headers), await inject(window(6), headers, 'HEAD')];
    const ofContent = ({ headers: all }: typeof get) => [
      ...[all.etag, all.vary, all['content-encoding']],
      ...[all['content-length'], all['content-type']],
    ];
    expect(head.rawPayload).toHaveLength(0);
    expect(ofContent(head)).toEqual(ofContent(get));
  });

  it('a request with Range, is answered whole', async () => {
    const { statusCode, headers } = await inject(window(6), { range: 'bytes=0-9', 'accept-encoding': 'br' });
    expect([statusCode, headers['content-encoding']]).toEqual([200, 'br']);
  });

  it('of less than a kilobyte, is sent uncompressed', async () => {
    const { headers } = await inject('/api/ui/timeline?date=2020-01-01', { 'accept-encoding': 'br' });
    expect(headers).toMatchObject({ 'content-length': '2', vary: 'accept-encoding' });
    expect(headers['content-encoding']).toBeUndefined();
  });

  it('in a language, varies by language too', async () => {
    const { headers } = await inject('/api/ui/species/1/summary', { 'accept-encoding': 'br' });
    expect(headers.vary).toBe('accept-language, accept-encoding');
  });

  it('an error, is sent uncompressed', async () => {
    const { statusCode, headers } = await inject('/api/ui/timeline?date=x', { 'accept-encoding': 'br' });
    expect([statusCode, headers['content-encoding'], headers.etag]).toEqual([400, undefined, undefined]);
  });

  it('equal requests at once in different codings, take one statement', async () => {
    await query.get('/api/ui/cameras');
    const requests = [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }, {}];
    const all = () => Promise.all(requests.map((headers) => inject(window(4), headers)));
    expect(await countStatements(query.database.pool, all)).toBe(1);
  });

  it('a large response, while compressed, does not block the event loop', async () => {
    const turns: string[] = [];
    const compressed = inject(window(6.5), { 'accept-encoding': 'br' }).then(() => turns.push('response'));
    const timer = setInterval(() => turns.push('turn'), 0);
    await compressed;
    clearInterval(timer);
    expect(turns.at(0)).toBe('turn');
  });

  it('a timeline of 3,000 visits, takes at most 100 KB', async () => {
    const day = from + 86_400_000;
    await insertManyVisits(query.database.pool, { count: 3_000, from: day, everyMs: 75_000 });
    // Irregular times, as of real visits.
    await query.database.pool.query(
      `UPDATE detection SET confidence = round((0.5 + random() * 0.5)::numeric, 2),
         start_time = start_time + random() * interval '1 second', end_time = end_time + random() * interval '9 seconds'
       WHERE start_time >= $1`,
      [new Date(day)],
    );
    const path = `/api/ui/timeline?start_time=${day / 1000}&end_time=${day / 1000 + 3 * 86_400}`;
    const { rawPayload } = await inject(path, { 'accept-encoding': 'gzip, deflate, br' });
    expect(JSON.parse(brotliDecompressSync(rawPayload).toString())).toHaveLength(3_000);
    expect(rawPayload.length).toBeLessThanOrEqual(100_000);
  });
});

describe('a cached route whose responses are larger than the budget', () => {
  let query: TestQuery;
  let origin: string;
  const from = Date.UTC(2026, 5, 1);
  const path = (count: number) =>
    `/api/ui/timeline?start_time=${from / 1000}&end_time=${from / 1000 + count * 75}`;
  beforeAll(async () => {
    query = await createTestQuery({ responseBudgetMb: 1, responseCacheMb: 64 });
    await insertManyVisits(query.database.pool, { count: 20_000, from, everyMs: 75_000 });
    origin = await query.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => query.close());

  /** Starts to read a response and does not consume its body. */
  const stall = (url: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${origin}${url}`, { agent: false }, (response) => resolve(response.pause())).on(
        'error',
        reject,
      );
    });
  const statusOf = async (url: string, headers: Record<string, string> = {}) =>
    (await query.app.inject({ url, headers })).statusCode;

  it('while one is not consumed, is 503 busy for further large ones and sends small ones', async () => {
    const stalled = await stall(path(20_000));
    const busy = await query.app.inject({ url: path(3_000) });
    expect([busy.statusCode, busy.json().code, busy.headers['retry-after']]).toEqual([503, 'busy', '5']);
    expect(await statusOf(path(3_000), { 'accept-encoding': 'br' })).toBe(503);
    expect(await statusOf(path(100), { 'accept-encoding': 'br' })).toBe(200);
    stalled.destroy();
    await vi.waitUntil(async () => (await statusOf(path(3_000))) === 200);
    expect(await statusOf(path(3_000), { 'accept-encoding': 'br' })).toBe(200);
  });

  it('when clients disconnect during read or compression, frees all of the budget', async () => {
    const leave = (count: number) =>
      new Promise<void>((resolve) => {
        const request = httpGet(`${origin}${path(count)}`, {
          agent: false,
          headers: { 'accept-encoding': 'br' },
        });
        request.on('error', () => undefined).on('close', resolve);
        setTimeout(() => request.destroy(), count % 50);
      });
    await Promise.all([4_000, 4_010, 4_020, 4_030, 4_040].map(leave));
    // Their responses may still be read from the database and counted after that.
    await vi.waitUntil(async () => (await statusOf(path(4_040), { 'accept-encoding': 'br' })) === 200);
    await vi.waitUntil(() => query.cache.budget.inUse === 0);
  });
});
