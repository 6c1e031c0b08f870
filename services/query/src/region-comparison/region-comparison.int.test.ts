import { createLog } from '@birdhub/shared/log';
import { aDetection, aRecording } from '@birdhub/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { RegionComparisonSchema } from './region-comparison.schema.js';
import { refreshRegion } from './region-watch.js';

const key = 'k3y-of-the-hub';
const path = '/api/ui/region-comparison';
const hour = 3_600_000;

const observation = (speciesCode: string, comName: string, sciName: string, howMany: number) => ({
  speciesCode,
  comName,
  sciName,
  locId: 'L99381',
  obsDt: '2026-05-01 10:46',
  howMany,
  lat: 42.4,
  lng: -76.5,
  obsValid: true,
  subId: 'S1',
});
const observations = [
  observation('gretit1', 'Great Tit', 'Parus major', 2),
  observation('mallar3', 'Mallard', 'Anas platyrhynchos', 30),
  observation('rocpig', 'Rock Pigeon', 'Columba livia', 5),
];

describe('GET /region-comparison', () => {
  let stub: StubService;
  let query: TestQuery;
  let lines: string[];
  beforeEach(async () => {
    stub = await startStubService();
    lines = [];
    const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
    query = await createTestQuery({ externalUrls: { ebirdApiUrl: `${stub.url}/v2` }, log });
    stub.respondJson(observations);
  });
  afterEach(async () => {
    await query.close();
    await stub.stop();
    expect(lines.join('')).not.toContain(key);
  });

  async function seeBirds(...speciesNames: string[]): Promise<void> {
    const detections = speciesNames.map((speciesName) => aDetection({ speciesName }));
    await query.post(aRecording({ start: query.clock.now(), detections }));
  }
  const configure = (ebird: object = {}) =>
    query.setSettings({ secrets: { ebird_api_key: key }, ebird: { country: 'GB', ...ebird } });
  const get = async () => {
    const { status, body } = await query.get(path);
    expect(status).toBe(200);
    expectShape(RegionComparisonSchema, body);
    return body;
  };

  it('without a key, is not configured and sends no request', async () => {
    await seeBirds('Great Tit');
    expect(await get()).toEqual({
      configured: false,
      regionCode: 'US',
      userCount: 1,
      regionTopCount: 0,
      matchCount: 0,
      matchedSpecies: [],
      regionTop: [],
      onlyHere: [],
      stale: false,
    });
    expect(stub.requests).toEqual([]);
  });

  it('with a key and visits, compares with the last thirty days of the region', async () => {
    await seeBirds('Great Tit', 'Feral Pigeon', 'Pink Phoenix', 'Unknown');
    await configure({ state: 'eng' });
    expect(await get()).toEqual({
      configured: true,
      regionCode: 'GB-ENG',
      userCount: 3,
      regionTopCount: 3,
      matchCount: 2,
      matchedSpecies: ['Great Tit', 'Rock Pigeon'],
      regionTop: ['Mallard', 'Rock Pigeon', 'Great Tit'],
      onlyHere: ['Pink Phoenix'],
      stale: false,
    });
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]?.url).toMatch(/^\/v2\/data\/obs\/GB-ENG\/recent\?back=30&/);
    expect(stub.requests[0]?.headers['x-ebirdapitoken']).toBe(key);
  });

  it('with a species and its form, counts them once', async () => {
    await seeBirds('Rock Pigeon', 'Feral Pigeon');
    await configure();
    expect(await get()).toMatchObject({ userCount: 1, matchedSpecies: ['Rock Pigeon'] });
  });

  it('after a new bird, compares it at once with the cached region', async () => {
    await configure();
    expect(await get()).toMatchObject({ userCount: 0, matchedSpecies: [] });
    await seeBirds('Great Tit');
    expect(await get()).toMatchObject({ userCount: 1, matchedSpecies: ['Great Tit'] });
    expect(stub.requests).toHaveLength(1);
  });

  it('after four hours, sends a new request', async () => {
    await configure();
    await get();
    query.clock.advance(4 * hour - 1);
    await get();
    expect(stub.requests).toHaveLength(1);
    query.clock.advance(1);
    expect(await get()).toMatchObject({ stale: false });
    expect(stub.requests).toHaveLength(2);
  });

  it('after a change of region or key, sends a request at once', async () => {
    stub.respondJson({}, 403);
    await configure();
    expect(await get()).toMatchObject({ stale: true });
    stub.respondJson(observations);
    await query.setSettings({ secrets: { ebird_api_key: `${key}2` }, ebird: { country: 'GB' } });
    expect(await get()).toMatchObject({ stale: false, regionTopCount: 3 });
    await configure({ country: 'DE' });
    await get();
    expect(stub.requests.map(({ url }) => url.split('/')[4])).toEqual(['GB', 'GB', 'DE']);
  });

  it.each([
    ['401', () => stub.respondJson({ errors: [{ title: key }] }, 401)],
    ['429', () => stub.respondJson({}, 429)],
    ['500', () => stub.respondJson({}, 500)],
    ['no JSON', () => stub.respond(() => ({ status: 200, body: '<html>' }))],
    ['another JSON', () => stub.respondJson({ errors: [] })],
    ['more than is taken', () => stub.respondJson('x'.repeat(5 * 1024 * 1024))],
    ['nothing', () => stub.respond((_request, response) => void response.destroy())],
  ])('when eBird returns %s, returns the last region as stale', async (_, breakDown) => {
    await seeBirds('Great Tit', 'Pink Phoenix');
    await configure();
    const before = await get();
    breakDown();
    query.clock.advance(5 * hour);
    expect(await get()).toEqual({ ...before, stale: true });
  });

  it('when eBird fails from the start, is stale and empty, also for birds only here', async () => {
    stub.respondJson({}, 500);
    await seeBirds('Great Tit');
    await configure();
    const empty = { configured: true, regionTopCount: 0, matchedSpecies: [], regionTop: [], onlyHere: [] };
    expect(await get()).toMatchObject({ ...empty, userCount: 1, stale: true });
    await get();
    expect(stub.requests).toHaveLength(1);
  });

  it('when eBird keeps failing, sends no requests for a while and stays stale', async () => {
    await configure();
    await get();
    stub.respondJson({}, 500);
    query.clock.advance(5 * hour);
    for (let count = 0; count < 6; count += 1) {
      expect(await get()).toMatchObject({ regionTopCount: 3, stale: true });
      query.clock.advance(60_000);
    }
    expect(stub.requests.length).toBeLessThan(6);
    expect(lines.join('')).toContain('circuit open');
  });

  it('when eBird hangs, returns without it, and sends no request the next time', async () => {
    stub.respond(() => undefined);
    await configure();
    expect(await get()).toMatchObject({ stale: true });
    expect(await get()).toMatchObject({ stale: true });
    expect(stub.requests).toHaveLength(1);
  });

  it('not requested, is fetched only while an alert rule needs it', async () => {
    await configure();
    const { pool } = query.database;
    await refreshRegion({ ...query, pool });
    expect(stub.requests).toHaveLength(0);
    await pool.query(
      `INSERT INTO alert_rule (position, rule) VALUES (3, '{"name": "Rare", "when": "rare_in_region"}')`,
    );
    await refreshRegion({ ...query, pool });
    await refreshRegion({ ...query, pool });
    expect(stub.requests).toHaveLength(1);
    await get();
    expect(stub.requests).toHaveLength(1);
  });

  it('read concurrently, sends one request', async () => {
    stub.respond((_request, response) => {
      setTimeout(() => response.end(JSON.stringify(observations)), 100);
    });
    await configure();
    const all = await Promise.all(Array.from({ length: 20 }, get));
    expect(all.map(({ regionTopCount }) => regionTopCount)).toEqual(Array(20).fill(3));
    expect(stub.requests).toHaveLength(1);
  });

  it('when cached, takes two statements', async () => {
    await configure();
    await get();
    expect(await query.countStatements(path)).toBe(2);
  });
});
