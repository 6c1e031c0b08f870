import { randomBytes } from 'node:crypto';
import { aDetection, aRecording } from '@birdhub/testing';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { hour } from '../testing/timeline.js';
import { planPage } from './display-visits.store.js';
import {
  DisplayDailySchema,
  DisplayDaySchema,
  DisplayDiversitySchema,
  DisplaySummarySchema,
  DisplayVisitPageSchema,
  DisplayVisitSchema,
} from './displays.schema.js';

/** Half past midnight on 2 May in Berlin, still 1 May in UTC. */
const midnight = Date.UTC(2026, 4, 1, 22, 30);
const sound = randomBytes(2_000);

let query: TestQuery;
const read = async (path: string, headers: Record<string, string> = {}) => {
  const response = await query.get(`/api/v2/${path}`, headers);
  expect([path, response.status]).toEqual([path, 200]);
  return response.body;
};
const list = (parameters: string) => read(`detections?${parameters}`);
const startsOf = ({ data }: { data: { timestamp: string }[] }) => data.map(({ timestamp }) => timestamp);

beforeAll(async () => {
  query = await createTestQuery();
  await query.setSettings({
    general: { timezone: 'Europe/Berlin' },
    video: { cameras: [{ id: 'garden', name: 'By the pond' }] },
  });
  // The state after the job that a change of the zone starts.
  await query.database.pool.query(`UPDATE visit_rule SET timezone = 'Europe/Berlin'`);
  query.clock.set(midnight + 12 * hour);
  await query.writeFile('song.flac', sound);
  await query.writeFile('seen.mp4', sound);
  await query.post(
    aRecording({
      start: midnight - 40 * 24 * hour,
      detections: [aDetection({ speciesName: 'European Robin', confidence: 0.55 })],
    }),
  );
  await query.post(
    aRecording({ start: midnight - 20 * hour, videoPath: 'data/recordings/seen.mp4', cameraId: '' }),
  );
  await query.post(
    aRecording({
      start: midnight,
      videoPath: 'data/recordings/song.flac',
      detections: [aDetection({ source: 'audio', confidence: 0.912345, endOffset: 4 })],
    }),
  );
  await query.post(
    aRecording({
      start: midnight + 8 * hour,
      detections: [
        aDetection({ confidence: 0.7 }),
        aDetection({ speciesName: 'European Robin', confidence: 0.6 }),
        aDetection({ speciesName: 'Bird' }),
        aDetection({ speciesName: 'Red Squirrel' }),
        aDetection({ speciesName: 'Engine' }),
      ],
    }),
  );
  await query.database.pool.query(
    `UPDATE species SET image_url = 'api/ui/detections/1/crop' WHERE scientific_name = 'Parus major'`,
  );
  await query.notify({ kind: 'species' });
});
afterAll(() => query.close());

describe('visits as detections of BirdNET-Go', () => {
  it('all, are those of named birds in the zone of the hub, newest first', async () => {
    const page = await list('queryType=all');
    expectShape(DisplayVisitPageSchema, page);
    expect(page).toMatchObject({ total: 5, limit: 100, offset: 0, current_page: 1, total_pages: 1 });
    expect(page.data[2]).toEqual({
      id: expect.any(Number),
      date: '2026-05-02',
      time: '00:30:00',
      timestamp: '2026-05-02T00:30:00+02:00',
      source: { id: 'garden', type: 'microphone', displayName: 'By the pond' },
      beginTime: '2026-05-02T00:30:00+02:00',
      endTime: '2026-05-02T00:30:04+02:00',
      speciesCode: expect.any(String),
      scientificName: 'Parus major',
      commonName: 'Great Tit',
      confidence: 0.9123,
      clipName: 'parus_major_91p_20260502T003000.flac',
      modelType: 'bird',
      verified: 'unverified',
      locked: false,
    });
    expect(page.data[3]).not.toHaveProperty('source');
    expect(page.data[3].clipName).toBe('parus_major_90p_20260501T043000.m4a');
  });

  it('on a hub in German, have German names and are found by them', async () => {
    const settings = {
      general: { timezone: 'Europe/Berlin' },
      video: { cameras: [{ id: 'garden', name: 'By the pond' }] },
    };
    await query.setSettings({ ...settings, general: { ...settings.general, language: 'de' } });
    try {
      const { data } = await list('search=kohlm');
      expect(data.map(({ commonName }: { commonName: string }) => commonName)).toEqual(
        Array(3).fill('Kohlmeise'),
      );
      for (const [found, visits] of [
        ['species=Rotkehlchen', 2],
        ['species=european+robin', 2],
        ['search=great', 3],
      ] as const)
        expect([found, (await list(found)).total]).toEqual([found, visits]);
      const summary = (await read('analytics/species/summary')) as { common_name: string }[];
      expect(summary.map(({ common_name: name }) => name)).toEqual(['Kohlmeise', 'Rotkehlchen']);
      const [ofDay] = await read('analytics/species/daily?date=2026-05-02');
      expect(ofDay.common_name).toBe('Kohlmeise');
    } finally {
      await query.setSettings(settings);
    }
  });

  it('page by page in either order, are complete and unique', async () => {
    const whole = startsOf(await list(''));
    expect(whole).toHaveLength(5);
    for (const [order, expected] of [
      ['date_desc', whole],
      ['date_asc', whole.toReversed()],
    ] as const) {
      const pages = await Promise.all(
        [0, 2, 4, 6].map((offset) => list(`sortBy=${order}&numResults=2&offset=${offset}`)),
      );
      expect(pages.map(({ total, current_page, total_pages }) => [total, current_page, total_pages])).toEqual(
        [1, 2, 3, 4].map((number) => [5, number, 3]),
      );
      expect(pages.flatMap(startsOf).toSorted()).toEqual(expected.toSorted());
    }
  });

  it.each([
    ['start_date=2026-05-02&end_date=2026-05-02', 3],
    ['date=2026-05-01', 1],
    ['end_date=2026-04-30', 1],
    ['start_date=2026-05-01&species=parus%20major', 3],
    ['queryType=search&search=ROBIN&numResults=1', 2],
    ['queryType=search&search=erithacus', 2],
    ['search=squirrel', 0],
    ['search=%25', 0],
    ['queryType=hourly&date=2026-05-02&hour=0', 1],
    ['queryType=hourly&hour=8&duration=2', 2],
    ['date=2026-05-02&hour=00-8', 3],
    ['date=2026-05-02&hour=6-7', 0],
    ['queryType=luck', 5],
    ['numResults=7&offset=1000000', 5],
    ['start_date=&end_date=&species=', 5],
  ])('requested with %s, are %d in total', async (parameters, total) => {
    expect((await list(parameters)).total).toBe(total);
  });

  it.each([
    ['start_date=yesterday', 'start_date'],
    ['end_date=2026-02-30', 'end_date'],
    ['start_date=2026-05-02&end_date=2026-05-01', 'start_date'],
    ['date=2026-05-01&start_date=2026-05-01', 'date'],
    ['numResults=1001', 'numResults'],
    ['offset=-1', 'offset'],
    ['sortBy=luck', 'sortBy'],
    ['queryType=hourly', 'hour'],
    ['hour=9-6', 'hour'],
    ['hour=24', 'hour'],
    ['species=%00', 'species'],
  ])('requested with %s, are refused for %s', async (parameters, field) => {
    const { status, body } = await query.get(`/api/v2/detections?${parameters}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('the latest, are limited as requested, and each alone is the same, and 304 while unchanged', async () => {
    const recent = await read('detections/recent?limit=3');
    expectShape(Type.Array(DisplayVisitSchema), recent);
    expect(recent).toHaveLength(3);
    const one = `/api/v2/detections/${recent[0].id}`;
    const { body, headers } = await query.get(one);
    expect(body).toEqual(recent[0]);
    expect((await query.get(one, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
    expect((await query.get('/api/v2/detections/999999')).body.code).toBe('detection_not_found');
  });

  it('confirmed by a person, are verified as correct at once', async () => {
    const [newest] = await read('detections/recent?limit=1');
    const { rows } = await query.database.pool.query('SELECT id FROM detection WHERE visit_id = $1 LIMIT 1', [
      newest.id,
    ]);
    expect(newest.verified).toBe('unverified');
    await query.change('POST', `/api/ui/detections/${rows[0].id}/confirm`);
    expect((await read('detections/recent?limit=1'))[0].verified).toBe('correct');
    await query.change('POST', `/api/ui/detections/${rows[0].id}/revert`);
  });
});

describe('figures for displays', () => {
  it('species over all time and by period, have their counts and first and last times', async () => {
    const all = await read('analytics/species/summary');
    expectShape(Type.Array(DisplaySummarySchema), all);
    expect(all).toMatchObject([
      {
        scientific_name: 'Parus major',
        count: 3,
        first_heard: '2026-05-01T04:30:00+02:00',
        last_heard: '2026-05-02T08:30:00+02:00',
        max_confidence: 0.9123,
        thumbnail_url: '/api/v2/media/species-image?name=Parus%20major',
      },
      { scientific_name: 'Erithacus rubecula', count: 2, first_heard: '2026-03-22T23:30:00+01:00' },
    ]);
    expect(await read('analytics/species/summary?start_date=2026-05-02&limit=1')).toMatchObject([
      { count: 2 },
    ]);
    expect(await read('analytics/species/summary?limit=0')).toEqual(all);
  });

  it('species of a day, have their visits by hour', async () => {
    const day = await read('analytics/species/daily?date=2026-05-02', { 'x-forwarded-prefix': '/hub' });
    expectShape(Type.Array(DisplayDaySchema), day);
    expect(day).toMatchObject([
      {
        scientific_name: 'Parus major',
        count: 2,
        hourly_counts: Array.from({ length: 24 }, (_, at) => Number(at === 0 || at === 8)),
        high_confidence: true,
        first_heard: '00:30:00',
        latest_heard: '08:30:00',
        thumbnail_url: '/hub/api/v2/media/species-image?name=Parus%20major',
        is_new_species: true,
        days_since_first_seen: 1,
      },
      { scientific_name: 'Erithacus rubecula', is_new_species: false, days_since_first_seen: 40 },
    ]);
    expect(await read('analytics/species/daily')).toHaveLength(2);
    expect(await read('analytics/species/daily?limit=0')).toHaveLength(2);
    expect(await read('analytics/species/daily?min_confidence=80')).toHaveLength(1);
  });

  it('visits and species by day, leave out days without visits', async () => {
    const daily = await read('analytics/time/daily?start_date=2026-05-01&end_date=2026-05-03');
    expectShape(DisplayDailySchema, daily);
    expect(daily).toMatchObject({
      data: [
        { date: '2026-05-01', count: 1 },
        { date: '2026-05-02', count: 3 },
      ],
      total: 4,
    });
    const robin = await read('analytics/time/daily?start_date=2026-05-01&species=European%20Robin');
    expect(robin).toMatchObject({ end_date: '2026-05-31', species: 'European Robin', total: 1 });
    const diversity = await read('analytics/species/diversity?start_date=2026-05-01&end_date=2026-05-03');
    expectShape(DisplayDiversitySchema, diversity);
    expect(diversity).toMatchObject({
      data: [{ unique_species: 1 }, { unique_species: 2 }],
      max_diversity: 2,
    });
  });

  it('visits by hour, have every hour, by default of the last 30 days', async () => {
    const hours = await read('analytics/time/distribution/hourly');
    expect(hours).toEqual(
      Array.from({ length: 24 }, (_, at) => ({ hour: at, count: { 0: 1, 4: 1, 8: 2 }[at] ?? 0 })),
    );
  });

  it.each([
    ['analytics/time/daily', 'start_date'],
    ['analytics/species/diversity?start_date=x', 'start_date'],
    ['analytics/species/daily?date=1', 'date'],
    ['analytics/time/distribution/hourly?start_date=2020-01-01', 'start_date'],
  ])('%s, is refused for %s', async (path, field) => {
    const { status, body } = await query.get(`/api/v2/${path}`);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('the configuration, is that of a hub without a login', async () => {
    expect(await read('app/config')).toMatchObject({ security: { privateMode: false } });
  });
});

describe('names for displays', () => {
  it('of all birds, are in the language of the hub', async () => {
    const before = await query.settings.current();
    await query.setSettings({ ...before, general: { ...before.general, language: 'de' } });
    const { species, count } = await read('species/all');
    expect(species).toHaveLength(count);
    expect(species).toContainEqual({
      label: 'Parus major_Kohlmeise',
      scientificName: 'Parus major',
      commonName: 'Kohlmeise',
    });
    expect(await read('settings/birdnet')).toEqual({ locale: 'de' });
    await query.setSettings(before);
  });

  it('of a listed language, are a dictionary, which is 304 while unchanged', async () => {
    const locales = await read('settings/locales');
    expect(locales).toMatchObject({ en: 'English', fr: 'French' });
    for (const locale of Object.keys(locales)) {
      const { statusCode } = await query.app.inject({
        method: 'HEAD',
        url: `/api/v2/species/dictionary/${locale}`,
      });
      expect([locale, statusCode]).toEqual([locale, 200]);
    }
    const path = '/api/v2/species/dictionary/fr';
    const { body, headers } = await query.get(path);
    expect(body).toMatchObject({ 'Parus major': 'Mésange charbonnière' });
    expect((await query.get(path, { 'if-none-match': String(headers['etag']) })).status).toBe(304);
  });

  it('of another language, are 404', async () => {
    expect((await query.get('/api/v2/species/dictionary/nb')).status).toBe(404);
  });
});

describe('media for displays', () => {
  const idAt = async (timestamp: string) =>
    (await list('')).data.find((visit: { timestamp: string }) => visit.timestamp === timestamp).id;
  const get = (path: string, headers: Record<string, string> = {}) =>
    query.app.inject({ method: 'GET', url: `/api/v2/${path}`, headers });

  it('the clip of a song, is its file, whole or in part', async () => {
    const id = await idAt('2026-05-02T00:30:00+02:00');
    const response = await get(`audio/${id}`);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'audio/flac']);
    expect(response.rawPayload.equals(sound)).toBe(true);
    expect((await get(`audio/${id}`, { range: 'bytes=0-99' })).statusCode).toBe(206);
  });

  it('the clip of a video, is sound to players', async () => {
    const response = await get(`audio/${await idAt('2026-05-01T04:30:00+02:00')}`);
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'audio/mp4']);
  });

  it('a clip and spectrogram without the file, are 503, and those of an unknown visit are 404', async () => {
    const id = await idAt('2026-05-02T08:30:00+02:00');
    const responses = await Promise.all(
      [`audio/${id}`, `spectrogram/${id}`, 'audio/999999'].map((path) => get(path)),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([503, 503, 404]);
    expect(responses[0]?.headers['retry-after']).toBeDefined();
  });

  it('protected by a password, are refused to viewers', async () => {
    const before = await query.settings.current();
    await query.setSettings({
      ...before,
      general: { ...before.general, require_auth_for_video_stream: true },
    });
    const id = await idAt('2026-05-02T00:30:00+02:00');
    for (const path of [`audio/${id}`, `spectrogram/${id}`]) {
      expect((await get(path, { 'x-hub-caller': 'viewer' })).json().code).toBe('unlock_required');
    }
    expect((await get(`audio/${id}`, { 'x-hub-caller': 'contributor' })).statusCode).toBe(200);
    await query.setSettings(before);
  });

  it('the picture of a species, is found by its scientific name', async () => {
    const found = await get('media/species-image?name=Parus%20major', { 'x-forwarded-prefix': '/hub' });
    expect([found.statusCode, found.headers.location]).toEqual([302, '/hub/api/ui/detections/1/crop']);
    expect((await get('media/species-image?scientific_name=Erithacus%20rubecula')).statusCode).toBe(404);
    const show = (image: string) =>
      query.database.pool.query(`UPDATE species SET image_url = $1 WHERE scientific_name = 'Parus major'`, [
        image,
      ]);
    await show('https://pictures.example/Kohlmeise ü.jpg');
    const elsewhere = await get('media/species-image?name=Parus%20major');
    expect(elsewhere.headers['location']).toBe('https://pictures.example/Kohlmeise%20%C3%BC.jpg');
    await show('javascript:alert(1)');
    expect((await get('media/species-image?name=Parus%20major')).statusCode).toBe(404);
    expect((await get('media/species-image')).statusCode).toBe(400);
  });
});

describe('planPage', () => {
  const days = [
    { day: '2026-05-01', visits: 10 },
    { day: '2026-05-03', visits: 5 },
    { day: '2026-05-04', visits: 10 },
  ];
  it.each([
    [
      { offset: 0, limit: 3, isAscending: true },
      { span: { first: '2026-05-01', last: '2026-05-01' }, skip: 0 },
    ],
    [
      { offset: 12, limit: 3, isAscending: true },
      { span: { first: '2026-05-03', last: '2026-05-03' }, skip: 2 },
    ],
    [
      { offset: 12, limit: 4, isAscending: true },
      { span: { first: '2026-05-03', last: '2026-05-04' }, skip: 2 },
    ],
    [
      { offset: 9, limit: 8, isAscending: false },
      { span: { first: '2026-05-01', last: '2026-05-04' }, skip: 9 },
    ],
    [{ offset: 25, limit: 8, isAscending: false }, undefined],
  ])('%j, covers the days %j', (page, plan) => {
    expect(planPage(days, page)).toEqual(plan);
  });
});
