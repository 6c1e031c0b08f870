import { aDetection } from '@birdhub/testing';
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
    return learnSpecies({ ...database, outside, bell, clock, log, spacingMs }, signal);
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
    expect(await shown('Great Tit')).toEqual({ image_url: 'my.jpg', description: 'First.' });
    pages['Parus_major'] = { body: summaryOf('Two', 'Second.') };
    query.clock.advance(90 * day);
    await learn();
    expect(await shown('Great Tit')).toEqual({ image_url: 'my.jpg', description: 'Second.' });
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

  describe('in other languages', () => {
    const openAt = async (address: string) => {
      await query.close();
      query = await createTestQuery({ outsideUrls: { wikipediaApiUrl: address } });
    };
    const summaryIn = async (parameters = '', headers: Record<string, string> = {}) => {
      const path = `/api/ui/species/${await speciesIdOf(query, 'Great Tit')}/summary`;
      await query.bell.settled();
      await query.ring({ kind: 'species' });
      const { body, headers: sent } = await query.get(path + parameters, headers);
      const { description, description_language, description_source } = body.species;
      return {
        text: description,
        language: description_language,
        url: description_source?.url,
        vary: sent['vary'],
      };
    };
    const english = { text: 'A bird.', language: 'en', url: 'https://en.example.org/wiki/Great_tit' };
    const german = { text: 'Ein Vogel.', language: 'de', url: 'https://en.example.org/wiki/Kohlmeise' };

    beforeEach(async () => {
      await openAt(`${stub.url}/en/api/rest_v1`);
      stub.answerBy((request, response) => {
        const [, language, , , , , title = ''] = (request.url ?? '').split('/');
        const page = pages[`${language} ${decodeURIComponent(title)}`];
        response.writeHead(page?.status ?? (page ? 200 : 404), { 'content-type': 'application/json' });
        response.end(JSON.stringify(page?.body ?? {}));
      });
      pages['en Parus_major'] = { body: summaryOf('Great_tit', 'A bird.') };
      pages['de Parus_major'] = { body: summaryOf('Kohlmeise', 'Ein Vogel.') };
    });

    it('a species that was seen, is described in the language that is asked for, and in English otherwise', async () => {
      await see('Great Tit');
      expect(await learn()).toBe('done');
      expect(stub.requests.map(({ url }) => url.split('/')[1])).toEqual(['en', 'de', 'ru']);
      expect(await summaryIn()).toMatchObject(english);
      expect(await summaryIn('?lang=de')).toMatchObject(german);
      expect(await summaryIn('?lang=de-AT')).toMatchObject(german);
      expect(await summaryIn('', { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' })).toMatchObject(german);
      expect(await summaryIn('?lang=en', { 'accept-language': 'de' })).toMatchObject(english);
      expect(await summaryIn('?lang=ru')).toMatchObject(english);
      expect(await summaryIn('', { 'accept-language': '*' })).toMatchObject(english);
      expect((await summaryIn()).vary).toMatch(/accept-language/i);
      expect((await shown('Great Tit')).description).toBe('A bird.');
    });

    it('a language that is none, is refused and named', async () => {
      await see('Great Tit');
      const path = `/api/ui/species/${await speciesIdOf(query, 'Great Tit')}/summary?lang=x'--`;
      const { status, body } = await query.get(path);
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'lang']);
    });

    it('what a person wrote, stands in every language', async () => {
      await see('Great Tit');
      await learn();
      const id = await speciesIdOf(query, 'Great Tit');
      await query.change('PATCH', `/api/ui/species/${id}`, { description: 'Mine.' });
      expect(await summaryIn('?lang=de')).toMatchObject({ text: 'Mine.', language: null, url: undefined });
      await query.change('PATCH', `/api/ui/species/${id}`, { description: null });
      expect(await summaryIn('?lang=de')).toMatchObject(german);
    });

    it('a text that is known in another language only, is there for who reads that', async () => {
      delete pages['en Parus_major'];
      await see('Great Tit');
      await learn();
      expect(await summaryIn()).toMatchObject({ text: null, language: null });
      expect(await summaryIn('?lang=de')).toMatchObject(german);
    });

    it('an encyclopedia that fails, is left alone for an hour, and what was known stays', async () => {
      await see('Great Tit');
      await learn();
      query.clock.advance(90 * day);
      pages['de Parus_major'] = { status: 500 };
      expect(await learn()).toBe('failed');
      expect(await summaryIn('?lang=de')).toMatchObject(german);
      const before = stub.requests.length;
      await learn();
      expect(stub.requests.slice(before).map(({ url }) => url.split('/')[1])).not.toContain('de');
      query.clock.advance(day / 24);
      pages['de Parus_major'] = { body: summaryOf('Kohlmeise', 'Ein anderer Text.') };
      await learn();
      expect((await summaryIn('?lang=de')).text).toBe('Ein anderer Text.');
    });

    it('a species whose scientific name was mended, is asked about again', async () => {
      pages['de Parus_minor'] = { body: summaryOf('Japanmeise', 'Eine andere.') };
      await see('Great Tit');
      await learn();
      const id = await speciesIdOf(query, 'Great Tit');
      await query.change('PATCH', `/api/ui/species/${id}`, { scientific_name: 'Parus minor' });
      await learn();
      expect((await summaryIn('?lang=de')).text).toBe('Eine andere.');
    });

    it('a species without a scientific name, is asked about in English only', async () => {
      await see('Odd Bird');
      await learn();
      expect(new Set(stub.requests.map(({ url }) => url.split('/')[1]))).toEqual(new Set(['en']));
    });

    it('an address that names no language, is that of English only', async () => {
      await openAt(`${stub.url}/api/rest_v1`);
      await see('Great Tit');
      await learn();
      expect(stub.requests.every(({ url }) => url.startsWith('/api/rest_v1/'))).toBe(true);
    });
  });
});
