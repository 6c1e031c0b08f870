import { aDetection } from '@birdhub/shared/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { speciesIdOf } from '../testing/timeline.js';
import { learnSpecies } from './learn-species.js';

const day = 86_400_000;
const summaryOf = (title: string, extract: string) => ({
  type: 'standard',
  title,
  extract,
  thumbnail: { source: `https://upload.example.org/${title}.jpg` },
  content_urls: { desktop: { page: `https://en.example.org/wiki/${title}` } },
});

describe('learning about species', () => {
  let query: TestQuery;
  let stub: StubService;
  let pages: Record<string, { status?: number; body?: unknown; location?: string }>;

  beforeEach(async () => {
    stub = await startStubService();
    query = await createTestQuery({ outsideUrls: { wikipediaApiUrl: `${stub.url}/api/rest_v1/` } });
    pages = {};
    stub.answerBy((request, response) => {
      const title = decodeURIComponent(request.url?.split('/').at(-1) ?? '');
      const { status = pages[title]?.location ? 302 : 200, body, location } = pages[title] ?? { status: 404 };
      response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
      response.end(JSON.stringify(body ?? {}));
    });
  });
  afterEach(async () => {
    await query.close();
    await stub.close();
  });

  const asked = () => stub.requests.map((request) => decodeURIComponent(request.url.split('/').at(-1) ?? ''));
  const see = (...names: string[]) =>
    query.post({ detections: names.map((speciesName) => aDetection({ speciesName })) });
  const learn = (signal = new AbortController().signal, spacingMs = 1) => {
    const { outside, bell, clock, database } = query;
    const log = pino({ level: 'silent' });
    return learnSpecies({ pool: database.pool, outside, bell, clock, log, spacingMs }, signal);
  };
  const shown = async (name: string) => {
    await query.bell.settled();
    await query.ring({ kind: 'species' });
    const { body } = await query.get('/api/ui/species');
    const { image_url, description } = body.find((species: { name: string }) => species.name === name);
    return { image_url, description };
  };

  it('species that were seen, by scientific name, get text and picture with source and licence, and no others', async () => {
    pages['Parus_major'] = { location: 'Great_tit' };
    pages['Great_tit'] = { body: summaryOf('Great_tit', 'A small bird.') };
    await see('Great Tit', 'Bird');
    expect(await learn()).toBe('done');
    expect(asked()).toEqual(['Parus_major', 'Great_tit']);
    expect(stub.requests[0]?.url).toBe('/api/rest_v1/page/summary/Parus_major');
    expect(stub.requests[0]?.headers['user-agent']).toMatch(/^Birdhub\/\d/);
    expect(await shown('Great Tit')).toEqual({
      image_url: 'https://upload.example.org/Great_tit.jpg',
      description: 'A small bird.',
    });
    const { rows } = await query.database.pool.query('SELECT * FROM species_info');
    expect(rows).toMatchObject([
      { state: 'found', source_url: 'https://en.example.org/wiki/Great_tit', licence: 'CC BY-SA 4.0' },
    ]);
    const { body } = await query.get(`/api/ui/species/${await speciesIdOf(query, 'Great Tit')}/summary`);
    expect(body.species.description_source).toEqual({
      url: 'https://en.example.org/wiki/Great_tit',
      licence: 'CC BY-SA 4.0',
    });
    expect(await learn()).toBe('done');
    expect(asked()).toHaveLength(2);
  });

  it('a scientific name that has several meanings or no page, is followed by the common name', async () => {
    pages['Parus_major'] = { body: { ...summaryOf('Parus', 'Many'), type: 'disambiguation' } };
    pages['Great_Tit'] = { body: summaryOf('Great_Tit', 'By its name.') };
    await see('Great Tit');
    await learn();
    expect(asked()).toEqual(['Parus_major', 'Great_Tit']);
    expect((await shown('Great Tit')).description).toBe('By its name.');
  });

  it('a species without a page, is asked about again after a month, or when it is called otherwise', async () => {
    await see('Odd Bird');
    await learn();
    await learn();
    query.clock.advance(30 * day - 1);
    await learn();
    expect(asked()).toEqual(['Odd_Bird']);
    query.clock.advance(1);
    await learn();
    expect(asked()).toEqual(['Odd_Bird', 'Odd_Bird']);
    pages['Known_Bird'] = { body: summaryOf('Known_Bird', 'Known.') };
    const id = await speciesIdOf(query, 'Odd Bird');
    await query.change('PATCH', `/api/ui/species/${id}`, { name: 'Known Bird' });
    await learn();
    expect((await shown('Known Bird')).description).toBe('Known.');
  });

  it('what a person gave, stays, and what is from the encyclopedia goes with it', async () => {
    pages['Parus_major'] = { body: summaryOf('One', 'First.') };
    await see('Great Tit');
    const id = await speciesIdOf(query, 'Great Tit');
    await query.change('PATCH', `/api/ui/species/${id}`, { image_url: '/my.jpg' });
    await learn();
    expect(await shown('Great Tit')).toEqual({ image_url: '/my.jpg', description: 'First.' });
    pages['Parus_major'] = { body: summaryOf('Two', 'Second.') };
    query.clock.advance(90 * day);
    await learn();
    expect(await shown('Great Tit')).toEqual({ image_url: '/my.jpg', description: 'Second.' });
    await query.change('PATCH', `/api/ui/species/${id}`, { image_url: null, description: 'Mine.' });
    expect(await shown('Great Tit')).toEqual({
      image_url: 'https://upload.example.org/Two.jpg',
      description: 'Mine.',
    });
  });

  it('an encyclopedia that fails, is left alone, and what was known stays', async () => {
    pages['Parus_major'] = { body: summaryOf('One', 'First.') };
    await see('Great Tit');
    await learn();
    query.clock.advance(90 * day);
    pages['Parus_major'] = { status: 500 };
    expect(await learn()).toBe('failed');
    expect(asked()).toHaveLength(2);
    expect(await learn()).toBe('done');
    expect(asked()).toHaveLength(2);
    expect((await shown('Great Tit')).description).toBe('First.');
    query.clock.advance(day);
    pages['Parus_major'] = { body: summaryOf('Two', 'Second.') };
    await learn();
    expect((await shown('Great Tit')).description).toBe('Second.');
  });

  it('two processes at once, ask once and at the pace that was said', async () => {
    await see('Odd Bird', 'Queer Bird', 'Strange Bird');
    const began = Date.now();
    const outcomes = await Promise.all([learn(undefined, 100), learn(undefined, 100)]);
    expect(outcomes.toSorted()).toEqual(['done', 'elsewhere']);
    expect(asked().toSorted()).toEqual(['Odd_Bird', 'Queer_Bird', 'Strange_Bird']);
    expect(Date.now() - began).toBeGreaterThanOrEqual(290);
  });

  it('stopped in between, lets go of its lock at once', async () => {
    await see('Odd Bird', 'Queer Bird');
    const stop = new AbortController();
    const learning = learn(stop.signal, 60_000);
    await expect.poll(() => asked().length).toBe(1);
    stop.abort();
    await expect(learning).rejects.toThrow('aborted');
    expect(await learn()).toBe('done');
  });
});
