import { createLog } from '@birdhub/shared/log';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { speciesIdOf } from '../testing/timeline.js';
import { SpeciesSoundsSchema } from './species-sounds.schema.js';

const key = 'k3y-of-the-hub';
const hour = 3_600_000;
const day = 24 * hour;

const recordings = Array.from({ length: 8 }, (_, at) => ({
  id: String(at),
  en: 'Great Tit',
  type: 'song',
  rec: 'Somebody',
  cnt: 'Spain',
  file: `//xeno-canto.org/${at}/download`,
  lic: '//creativecommons.org/licenses/by-nc-sa/4.0/',
  q: at === 6 ? 'A' : 'B',
  length: '0:46',
}));
const found = { numRecordings: '8', numSpecies: '1', page: 1, numPages: 1, recordings };

describe('GET /species/:id/xeno-canto', () => {
  let stub: StubService;
  let query: TestQuery;
  let lines: string[];
  beforeEach(async () => {
    stub = await startStubService();
    lines = [];
    const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
    query = await createTestQuery({ externalUrls: { xenoCantoApiUrl: `${stub.url}/api/3` }, log });
    stub.respondJson(found);
  });
  afterEach(async () => {
    await query.close();
    await stub.stop();
    expect(lines.join('')).not.toContain(key);
  });

  const configure = (secret = key) => query.setSettings({ secrets: { xeno_canto_api_key: secret } });
  const pathOf = async (name: string) => `/api/ui/species/${await speciesIdOf(query, name)}/xeno-canto`;
  const get = async (name = 'Great Tit') => {
    const { status, body } = await query.get(await pathOf(name));
    expect(status).toBe(200);
    expectShape(SpeciesSoundsSchema, body);
    return body;
  };
  const queriesAsked = () => stub.requests.map(({ url }) => new URL(url, stub.url).searchParams.get('query'));

  it('without a key, is not configured and sends no request', async () => {
    expect(await get()).toEqual({
      configured: false,
      recordings: [],
      species_name: 'Great Tit',
      xeno_canto_search_url: 'https://xeno-canto.org/explore?query=gen%3A%22Parus%22+sp%3A%22major%22',
    });
    expect(stub.requests).toEqual([]);
  });

  it('with a key, returns the best five by its scientific name', async () => {
    await configure();
    const body = await get();
    expect(body).toMatchObject({ configured: true, species_name: 'Great Tit' });
    expect(body.recordings.map(({ id }: { id: string }) => id)).toEqual(['6', '0', '1', '2', '3']);
    expect(body.recordings[0].file).toBe('https://xeno-canto.org/6/download');
    expect(queriesAsked()).toEqual(['gen:"Parus" sp:"major"']);
    expect(stub.requests[0]?.url).toMatch(/^\/api\/3\/recordings\?.*&key=k3y-of-the-hub$/);
  });

  it('for a form without a scientific name, searches its species', async () => {
    await configure();
    expect(await get('Feral Pigeon')).toMatchObject({ species_name: 'Feral Pigeon' });
    expect(queriesAsked()).toEqual(['gen:"Columba" sp:"livia"']);
  });

  it('for a species with a common name only, searches by that', async () => {
    await configure();
    await query.database.pool.query(`INSERT INTO species (name) VALUES ('Pink Phoenix')`);
    await get('Pink Phoenix');
    expect(queriesAsked()).toEqual(['en:"=Pink Phoenix"']);
  });

  it.each(['Unknown', 'Birds'])('for %s, which is not a bird species, sends no request', async (name) => {
    await configure();
    expect(await get(name)).toMatchObject({ configured: true, recordings: [] });
    expect(stub.requests).toEqual([]);
  });

  it.each(['999999', '9007199254740991'])('for the unknown species %s, is 404', async (id) => {
    const { status, body } = await query.get(`/api/ui/species/${id}/xeno-canto`);
    expect([status, body.code]).toEqual([404, 'species_not_found']);
  });

  it.each(['0', 'x', '1.5'])('for the species %s, is 400', async (id) => {
    expect((await query.get(`/api/ui/species/${id}/xeno-canto`)).status).toBe(400);
  });

  it('with results, caches them for a week', async () => {
    await configure();
    await get();
    query.clock.advance(7 * day - 1);
    await get();
    expect(stub.requests).toHaveLength(1);
    query.clock.advance(1);
    await get();
    expect(stub.requests).toHaveLength(2);
  });

  it('without results, caches that for a day', async () => {
    stub.respondJson({ numRecordings: '0', recordings: [] });
    await configure();
    expect(await get()).toMatchObject({ configured: true, recordings: [] });
    stub.respondJson(found);
    query.clock.advance(day - 1);
    expect((await get()).recordings).toEqual([]);
    query.clock.advance(1);
    expect((await get()).recordings).toHaveLength(5);
  });

  it.each([
    ['401', () => stub.respondJson({ error: 'unauthorized', message: key }, 401)],
    ['429', () => stub.respondJson({}, 429)],
    ['500', () => stub.respondJson({}, 500)],
    ['no JSON', () => stub.respond(() => ({ status: 200, body: '<html>' }))],
    ['another JSON', () => stub.respondJson({ error: 'x' })],
    ['nothing', () => stub.respond((_request, response) => void response.destroy())],
  ])('when the archive returns %s, returns the previous results, or none', async (_, breakDown) => {
    await configure();
    const before = await get();
    breakDown();
    query.clock.advance(8 * day);
    expect(await get()).toEqual(before);
    expect(await get('Mallard')).toMatchObject({ configured: true, recordings: [] });
  });

  it('when the archive hangs, returns no recordings', async () => {
    stub.respond(() => undefined);
    await configure();
    expect((await get()).recordings).toEqual([]);
  });

  it('when the archive fails for several species, sends no requests for a while', async () => {
    stub.respondJson({}, 500);
    await configure();
    for (const name of ['Great Tit', 'Mallard', 'Rock Pigeon', 'House Sparrow', 'European Robin'])
      await get(name);
    expect(stub.requests).toHaveLength(3);
  });

  it('when the key is corrected, sends a request at once', async () => {
    stub.respondJson({}, 401);
    await configure('wrong');
    expect((await get()).recordings).toEqual([]);
    stub.respondJson(found);
    await configure();
    expect((await get()).recordings).toHaveLength(5);
  });
});
