import { storePictureFacts } from '@birdhub/domain/media';
import { chooseOwnPictures } from '@birdhub/domain/species';
import { aDetection, aRecording, testAuthor } from '@birdhub/testing';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { speciesIdOf } from '../testing/timeline.js';
import { learnSpecies } from './learn-species.js';
import { saveInfo } from './species-knowledge.store.js';

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
    query = await createTestQuery({ externalUrls: { wikipediaApiUrl: `${stub.url}/api/rest_v1/` } });
    pages = {};
    stub.respond((request, response) => {
      const title = decodeURIComponent(request.url.split('/').at(-1) ?? '');
      const { status = pages[title]?.location ? 302 : 200, body, location } = pages[title] ?? { status: 404 };
      response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
      response.end(JSON.stringify(body ?? {}));
    });
  });
  afterEach(async () => {
    await query.close();
    await stub.stop();
  });

  const asked = () => stub.requests.map((request) => decodeURIComponent(request.url.split('/').at(-1) ?? ''));
  const see = (...names: string[]) =>
    query.post({ detections: names.map((speciesName) => aDetection({ speciesName })) });
  const learn = (signal = new AbortController().signal, spacingMs = 1) => {
    const { externalApis, notifier, clock, database } = query;
    const log = pino({ level: 'silent' });
    return learnSpecies({ ...database, externalApis, notifier, clock, log, spacingMs }, signal);
  };
  const shown = async (name: string) => {
    await query.notifier.settled();
    await query.notify({ kind: 'species' });
    const { body } = await query.get('/api/ui/species');
    const { image_url, description } = body.find((species: { name: string }) => species.name === name);
    return { image_url, description };
  };

  it('observed species only, get text and picture by scientific name, with source and licence', async () => {
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

  it('a scientific name with several meanings or no page, is followed by the common name', async () => {
    pages['Parus_major'] = { body: { ...summaryOf('Parus', 'Many'), type: 'disambiguation' } };
    pages['Great_Tit'] = { body: summaryOf('Great_Tit', 'By its name.') };
    await see('Great Tit');
    await learn();
    expect(asked()).toEqual(['Parus_major', 'Great_Tit']);
    expect((await shown('Great Tit')).description).toBe('By its name.');
  });

  it('a species without a page, is looked up again after a month, or when its name changes', async () => {
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

  it('what a person entered, is kept, and the rest comes from the encyclopedia', async () => {
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

  it('a failing encyclopedia, gets no requests for an hour, and stored texts stay', async () => {
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

  it('two processes at once, send each request once and at the configured rate', async () => {
    await see('Odd Bird', 'Queer Bird', 'Strange Bird');
    const began = Date.now();
    const outcomes = await Promise.all([learn(undefined, 100), learn(undefined, 100)]);
    expect(outcomes.toSorted()).toEqual(['done', 'elsewhere']);
    expect(asked().toSorted()).toEqual(['Odd_Bird', 'Queer_Bird', 'Strange_Bird']);
    expect(Date.now() - began).toBeGreaterThanOrEqual(290);
  });

  it('stopped during its work, releases its lock at once', async () => {
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
      query = await createTestQuery({ externalUrls: { wikipediaApiUrl: address } });
    };
    const summaryIn = async (parameters = '', headers: Record<string, string> = {}) => {
      const path = `/api/ui/species/${await speciesIdOf(query, 'Great Tit')}/summary`;
      await query.notifier.settled();
      await query.notify({ kind: 'species' });
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
      stub.respond((request, response) => {
        const [, language, , , , , title = ''] = request.url.split('/');
        const page = pages[`${language} ${decodeURIComponent(title)}`];
        response.writeHead(page?.status ?? (page ? 200 : 404), { 'content-type': 'application/json' });
        response.end(JSON.stringify(page?.body ?? {}));
      });
      pages['en Parus_major'] = { body: summaryOf('Great_tit', 'A bird.') };
      pages['de Parus_major'] = { body: summaryOf('Kohlmeise', 'Ein Vogel.') };
    });

    it('an observed species, is described in the requested language, and in English otherwise', async () => {
      await see('Great Tit');
      expect(await learn()).toBe('done');
      expect(stub.requests.map(({ url }) => url.split('/')[1])).toEqual([
        'en',
        'de',
        'es',
        'fr',
        'it',
        'nl',
        'pl',
        'ru',
      ]);
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

    it('an invalid language, is refused naming the parameter', async () => {
      await see('Great Tit');
      const path = `/api/ui/species/${await speciesIdOf(query, 'Great Tit')}/summary?lang=x'--`;
      const { status, body } = await query.get(path);
      expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', 'lang']);
    });

    it('a text entered by a person, is used in every language', async () => {
      await see('Great Tit');
      await learn();
      const id = await speciesIdOf(query, 'Great Tit');
      await query.change('PATCH', `/api/ui/species/${id}`, { description: 'Mine.' });
      expect(await summaryIn('?lang=de')).toMatchObject({ text: 'Mine.', language: null, url: undefined });
      await query.change('PATCH', `/api/ui/species/${id}`, { description: null });
      expect(await summaryIn('?lang=de')).toMatchObject(german);
    });

    it('a text available only in another language, is used for readers of that language', async () => {
      delete pages['en Parus_major'];
      await see('Great Tit');
      await learn();
      expect(await summaryIn()).toMatchObject({ text: null, language: null });
      expect(await summaryIn('?lang=de')).toMatchObject(german);
    });

    it('a failing encyclopedia, gets no requests for an hour, and stored texts stay', async () => {
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

    it('a species with a corrected scientific name, is looked up again', async () => {
      pages['de Parus_alter'] = { body: summaryOf('Andere Meise', 'Eine andere.') };
      await see('Great Tit');
      await learn();
      const id = await speciesIdOf(query, 'Great Tit');
      await query.change('PATCH', `/api/ui/species/${id}`, { scientific_name: 'Parus alter' });
      await learn();
      expect((await summaryIn('?lang=de')).text).toBe('Eine andere.');
    });

    it('a species without a scientific name, is looked up in English only', async () => {
      await see('Odd Bird');
      await learn();
      expect(new Set(stub.requests.map(({ url }) => url.split('/')[1]))).toEqual(new Set(['en']));
    });

    it('a URL without a placeholder for the language, is used for English only', async () => {
      await openAt(`${stub.url}/api/rest_v1`);
      await see('Great Tit');
      await learn();
      expect(stub.requests.every(({ url }) => url.startsWith('/api/rest_v1/'))).toBe(true);
    });
  });
});

describe('own pictures of species', () => {
  let query: TestQuery;
  beforeEach(async () => {
    query = await createTestQuery();
  });
  afterEach(() => query.close());

  const pool = () => query.database.pool;
  /** Returns whether other processes were notified of a change. */
  async function choose(): Promise<boolean> {
    let isChanged = false;
    const notify = () => {
      isChanged = true;
    };
    await chooseOwnPictures(pool(), { notify });
    return isChanged;
  }
  const setMedia = (media: string) => pool().query('UPDATE video SET media = $1', [media]);
  async function shown(): Promise<{ id: number; image_url: string | null }> {
    const { rows } = await pool().query(`SELECT id, image_url FROM species WHERE name = 'Great Tit'`);
    return rows[0];
  }
  async function see(): Promise<number> {
    const detections = [0.6, 0.95, 0.8].map((confidence, number) =>
      aDetection({ confidence, trackId: String(number) }),
    );
    await query.post({ detections: [...detections, aDetection({ source: 'audio', confidence: 1 })] });
    const { rows } = await pool().query('SELECT id FROM detection WHERE confidence = 0.95');
    return rows[0].id;
  }

  it('a species without a picture, has its most confident crop as soon as the video is ready', async () => {
    const best = await see();
    expect(await choose()).toBe(false);
    await setMedia('ready');
    expect(await choose()).toBe(true);
    expect((await shown()).image_url).toBe(`api/ui/detections/${best}/crop`);
    expect(await choose()).toBe(false);
  });

  it('a crop with a blurred copy, has it in the lists of species, unlike other pictures', async () => {
    const detectionId = await see();
    await setMedia('ready');
    await choose();
    const thumbhash = '1QcSHQRnh493V4dIh4eXh1h4kJUI';
    await storePictureFacts(
      pool(),
      { detectionId, seconds: 1, box: [0.1, 0.1, 0.6, 0.6] },
      { width: 600, height: 500, sharpness: 0.9, thumbhash },
    );
    const { id } = await shown();
    const blurredCopies = async () => {
      await query.notify({ kind: 'everything' });
      const [observed, summary] = await Promise.all([
        query.get('/api/ui/species/observed'),
        query.get(`/api/ui/species/${id}/summary`),
      ]);
      const listed = observed.body.find((one: { id: number }) => one.id === id);
      return [listed.thumbhash, summary.body.species.thumbhash];
    };
    expect(await blurredCopies()).toEqual([thumbhash, thumbhash]);
    await pool().query(`UPDATE species SET image_url = 'mine.jpg' WHERE id = $1`, [id]);
    expect(await blurredCopies()).toEqual([null, null]);
  });

  it('a reviewed crop, comes before a more confident one', async () => {
    await see();
    await setMedia('ready');
    const { rows } = await pool().query(
      'UPDATE detection SET reviewed = true WHERE confidence = 0.6 RETURNING id',
    );
    await choose();
    expect((await shown()).image_url).toBe(`api/ui/detections/${rows[0].id}/crop`);
  });

  it('a crop whose video was deleted, is removed', async () => {
    await see();
    await setMedia('ready');
    await choose();
    await setMedia('purged');
    expect(await choose()).toBe(true);
    expect((await shown()).image_url).toBeNull();
  });

  it('a picture entered by a person, stays', async () => {
    await see();
    await setMedia('ready');
    await pool().query(`UPDATE species SET image_url = 'mine.jpg' WHERE name = 'Great Tit'`);
    expect(await choose()).toBe(false);
  });

  it.each<[string | null, string]>([
    ['https://upload.example.org/tit.jpg', 'takes its place'],
    [null, 'leaves it'],
  ])('the encyclopedia, with the picture %s, %s', async (imageUrl) => {
    const best = await see();
    await setMedia('ready');
    await choose();
    const { id } = await shown();
    const summary = { description: 'A bird.', imageUrl, sourceUrl: 'https://en.example.org/wiki/Tit' };
    await saveInfo(pool(), id, summary, { now: 0, fetchAgainAt: 1 });
    expect((await shown()).image_url).toBe(imageUrl ?? `api/ui/detections/${best}/crop`);
  });
});

const start = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;
const window = `start_time=${start / 1000}&end_time=${start / 1000 + 3_600}`;

/** Every `image_url` in a response. */
function picturesIn(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(picturesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'image_url' ? [inner] : picturesIn(inner)));
}

describe('pictures of species, whose recordings lose their files', () => {
  let query: TestQuery;
  let older: number;
  let newer: number;
  let titId: number;

  const pool = () => query.database.pool;
  const paths = () => [
    `/api/ui/timeline?${window}`,
    `/api/ui/timeline?start_time=${start / 1000 + 3_600}&end_time=${start / 1000 + 7_200}`,
    `/api/ui/videos/${older}`,
    `/api/ui/videos/${newer}`,
    '/api/ui/species',
    '/api/ui/species/observed',
    `/api/ui/species/${titId}/summary`,
    `/api/ui/species/${titId}/visits`,
    `/api/ui/unknowns?${window}`,
    '/api/ui/overview?date=2026-05-01',
    '/api/ui/migration-calendar',
    '/api/ui/birdfood',
    '/api/ui/cameras',
  ];
  const read = async (token: string | undefined) => {
    const found = new Map<string, unknown[]>();
    for (const path of paths()) {
      const { status, body } = await query.get(path, token ? { 'x-hub-consistency-token': token } : {});
      if (status === 200)
        found.set(
          path,
          picturesIn(body).filter((picture) => picture !== null),
        );
      else expect([path, status]).toEqual([expect.stringContaining('/videos/'), 410]);
    }
    return found;
  };
  const bestOf = async (videoId: number) => {
    const { rows } = await pool().query(
      `SELECT detection.id FROM detection JOIN species ON species.id = species_id
       WHERE video_id = $1 AND name = 'Great Tit' ORDER BY confidence DESC LIMIT 1`,
      [videoId],
    );
    return rows[0]?.id as number;
  };
  const cropOf = async (videoId: number) => `api/ui/detections/${await bestOf(videoId)}/crop`;
  const purge = (id: number) =>
    query.writer.purge({ recordings: [{ id, sizeBytes: 1 }], includeFavorites: true }, 'test');
  const recordingAt = (at: number, speciesNames: readonly string[], confidence: number) =>
    aRecording({
      start: start + at,
      videoPath: `${at}.mp4`,
      detections: speciesNames.map((speciesName) => aDetection({ speciesName, confidence })),
    });

  beforeEach(async () => {
    query = await createTestQuery();
    older = (await query.post(recordingAt(0, ['Great Tit'], 0.3))).videoId;
    newer = (await query.post(recordingAt(hour, ['Great Tit', 'European Robin'], 0.9))).videoId;
    await query.writer.saveFileStates(
      [older, newer].map((videoId) => ({ videoId, state: 'ready' as const, sizeBytes: 1 })),
    );
    await chooseOwnPictures(pool(), query.notifier);
    const { rows } = await pool().query(`SELECT id FROM species WHERE name = 'Great Tit'`);
    titId = rows[0].id;
    await pool().query(`UPDATE bird_food SET image_url = $1 WHERE id = (SELECT min(id) FROM bird_food)`, [
      `api/ui/videos/${newer}/poster`,
    ]);
    await query.notify({ kind: 'everything' });
  });
  afterEach(() => query.close());

  it('before that, are used in all responses with species or foods', async () => {
    const crop = await cropOf(newer);
    const shown = await read(undefined);
    // Responses without pictures of species now must not have a deleted one later either.
    const without = /birdfood|cameras|overview/;
    for (const path of paths().filter((one) => !without.test(one)))
      expect(shown.get(path), path).toContain(crop);
    expect(shown.get('/api/ui/birdfood')).toEqual([`api/ui/videos/${newer}/poster`]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['a purge', () => purge(newer)],
    ['a deletion', () => query.writer.remove(newer, testAuthor)],
    [
      'a file that is found missing',
      () => query.writer.saveFileStates([{ videoId: newer, state: 'missing' }]),
    ],
    [
      'a post that replaces the detections',
      () => query.writer.post(recordingAt(hour, ['House Sparrow'], 0.9), 'test'),
    ],
  ])('after %s, are replaced by the next best at once in all responses', async (_, lose) => {
    await read(undefined);
    const [gone, next] = [await cropOf(newer), await cropOf(older)];
    await lose();
    const shown = await read(query.notifier.last().token);
    for (const [path, pictures] of shown) expect(pictures, path).not.toContain(gone);
    expect(shown.get(`/api/ui/timeline?${window}`)).toEqual([next]);
    expect(shown.get('/api/ui/species')).toEqual([next]);
  });

  it('after a purge of all, are used in no response', async () => {
    await purge(newer);
    await purge(older);
    const shown = await read(query.notifier.last().token);
    expect([...shown.values()].flat()).toEqual([]);
  });

  it('from elsewhere or of other recordings, after a purge, stay', async () => {
    const kept = ['https://upload.example.org/robin.jpg', `birds/api/ui/videos/${older}/poster?v=1`];
    for (const picture of kept) {
      await pool().query(`UPDATE species SET image_url = $1 WHERE name = 'European Robin'`, [picture]);
      await purge(newer);
      const { rows } = await pool().query(`SELECT image_url FROM species WHERE name = 'European Robin'`);
      expect(rows).toEqual([{ image_url: picture }]);
    }
  });

  it('after two purges at once, include neither of the deleted', async () => {
    await Promise.all([purge(newer), purge(older)]);
    const { rows } = await pool().query('SELECT image_url FROM species WHERE image_url IS NOT NULL');
    expect(rows).toEqual([]);
  });
});
