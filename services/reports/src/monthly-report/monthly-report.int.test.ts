import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { aDetection, aRecording, countStatements, insertManyVisits } from '@birdhub/testing';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';
import { type ReadPdf, readPdf } from '../testing/read-pdf.js';

const zone = 'Europe/London';
const general = { timezone: zone, app_name: 'Our Hub' };
const settings = { general, ebird: { location_name: 'Zahrada č. 5' } };

describe('GET /report/pdf', () => {
  let reports: TestReports;
  const get = (query: string) => reports.app.inject({ url: `/api/ui/report/pdf?${query}` });
  const read = async (query: string): Promise<ReadPdf> => readPdf((await get(query)).rawPayload);

  const post = (start: number, names: readonly string[]) =>
    reports.writer.post(
      aRecording({ start, detections: names.map((speciesName) => aDetection({ speciesName })) }),
      'test',
    );

  beforeAll(async () => {
    reports = await createTestReports();
    await reports.setSettings(settings);
    await reports.database.pool.query(`UPDATE visit_rule SET timezone = $1`, [zone]);
    await post(Date.UTC(2026, 1, 20, 8), ['Great Tit']);
    // The last hour of February, and the first of March, in a zone that keeps UTC then.
    await post(Date.UTC(2026, 1, 28, 23, 59), ['Great Tit', 'Žluna šedá']);
    await post(Date.UTC(2026, 2, 1, 0, 0), ['Жар-птица']);
    // Clocks go forward on 29 March, so this is the last hour of the month and the first of the next.
    await post(Date.UTC(2026, 2, 31, 22, 59), ['大山雀', 'Great Tit']);
    await post(Date.UTC(2026, 2, 31, 23, 0, 30), ['Lesser Whitethroat']);
    for (let index = 0; index < 12; index += 1)
      await post(Date.UTC(2026, 2, 10 + index, 7), ['Great Tit', 'Bird']);
    await reports.database.pool.query(
      `INSERT INTO weather_snapshot (source, temp, fetched_at) VALUES
        ('test', -3.5, '2026-03-05T06:00Z'), ('test', 6.5, '2026-03-05T12:00Z'), ('test', 12, '2026-03-20T12:00Z')`,
    );
  });
  afterAll(() => reports.close());

  it('of a month, is an attachment that is not cached', async () => {
    const { statusCode, headers, rawPayload } = await get('month=2026-03');
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'attachment; filename="bird_report_202603.pdf"',
      'cache-control': 'no-cache',
    });
    expect(rawPayload.subarray(0, 8).toString()).toBe('%PDF-1.7');
  });

  it('of a month, has every section, names in their scripts and page numbers', async () => {
    const { text, pages, outline } = await read('month=2026-03');
    for (const part of ['March 2026', 'Zahrada č. 5', 'Our Hub', '1–31 March 2026', zone])
      expect(text).toContain(part);
    for (const name of ['Great Tit', 'Parus major', 'Жар-птица', '大山雀']) expect(text).toContain(name);
    expect(text).not.toContain('Lesser Whitethroat');
    expect(text).not.toContain('Žluna šedá');
    expect(text.replaceAll('\n', ' ')).toContain('12 more visits by birds that were not identified');
    expect(text).toContain('lowest −3.5 °C on 5 Mar, highest 12.0 °C on 20 Mar');
    expect(outline).toEqual([
      'Most frequent species',
      'Visits by day',
      'Temperature in °C',
      'Hours of the day',
      'Visits by species',
      'Here for the first time',
      'First and last sightings',
    ]);
    for (const [index, page] of pages.entries()) expect(page).toContain(`${index + 1} / ${pages.length}`);
  });

  it('of a month, has metadata with author and parts', async () => {
    const { info, isTagged, roles, altTexts } = await read('month=2026-03');
    expect(info).toMatchObject({
      Title: 'Bird report, March 2026 – Zahrada č. 5',
      Author: 'Our Hub',
      Language: 'en',
      CreationDate: 'D:20260331230000Z',
    });
    expect(isTagged).toBe(true);
    for (const role of ['H1', 'H2', 'Table', 'TH', 'TD', 'Figure']) expect(roles).toContain(role);
    expect(altTexts).toHaveLength(roles.filter((role) => role === 'Figure').length);
    expect(altTexts.join()).toContain('Great Tit: 13 visits');
  });

  it.each([
    ['language=de', {}],
    ['', { 'accept-language': 'de-CH,de;q=0.9,en;q=0.8' }],
    ['language=de', { 'accept-language': 'ru' }],
  ])('with "%s" and headers %j, is in German with German names of birds', async (query, headers) => {
    const url = `/api/ui/report/pdf?month=2026-03&${query}`;
    const { rawPayload, headers: sent } = await reports.app.inject({ url, headers });
    const { text, outline, info } = await readPdf(rawPayload);
    expect(sent['vary']).toBe('accept-language');
    expect(info).toMatchObject({ Title: 'Vogelbericht, März 2026 – Zahrada č. 5', Language: 'de' });
    expect(outline[0]).toBe('Häufigste Arten');
    for (const part of ['1.–31. März 2026', 'Kohlmeise', 'Parus major', '12,0 °C am 20. März'])
      expect(text).toContain(part);
    expect(text).not.toContain('Great Tit');
  });

  it('without a language of the client, is in that of the hub', async () => {
    await reports.setSettings({ ...settings, general: { ...general, language: 'de' } });
    const { info } = await read('month=2026-02');
    await reports.setSettings(settings);
    expect(info).toMatchObject({ Language: 'de' });
  });

  it('in an unknown language, is refused naming the parameter', async () => {
    const response = await get('month=2026-03&language=xx');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ details: [{ path: 'language' }] });
  });

  it.each([{ units: 'imperial' }, { timezone: 'Africa/Monrovia' }])(
    'of a hub with %j, has temperatures in °F',
    async (own) => {
      await reports.setSettings({ ...settings, general: { ...general, ...own } });
      const { text } = await read('month=2026-03');
      await reports.setSettings(settings);
      expect(text).toContain('Temperature in °F');
      expect(text).toContain('lowest 25.7 °F on 5 Mar, highest 53.6 °F on 20 Mar');
    },
  );

  it('with new species, lists those whose first visit ever was in the period', async () => {
    const { text } = await read('month=2026-03');
    expect(text).toContain('Жар-птица (1 Mar), 大山雀 (31 Mar).');
  });

  it.each([
    ['2026-02', 'Žluna šedá', '28 Feb, 23:59'],
    ['2026-03', '大山雀', '31 Mar, 23:59'],
    ['2026-04', 'Lesser Whitethroat', '1 Apr, 00:00'],
  ])('of %s, with visits around midnight, has %s at %s', async (month, name, moment) => {
    const { text } = await read(`month=${month}`);
    expect(text).toContain(name);
    expect(text).toContain(moment);
  });

  it('of a month without visits, is one page with a note', async () => {
    const { pages, text } = await read('month=2020-02');
    expect(pages).toHaveLength(1);
    expect(text).toContain('No visits in this period.');
    expect(text).toContain('February 2020');
    expect(text).toContain('1 / 1');
  });

  it('of a time window, is named by its days', async () => {
    const times = 'start_time=2026-02-28T12:00:00Z&end_time=2026-03-12T00:00:00Z';
    const { headers, rawPayload } = await get(times);
    expect(headers['content-disposition']).toBe('attachment; filename="bird_report_20260228-20260311.pdf"');
    const { text } = await readPdf(rawPayload);
    expect(text).toContain('28 February 2026, 12:00 – 12 March 2026, 00:00');
    expect(text).toContain('Žluna šedá');
  });

  it('of the current month, states up to when it counts', async () => {
    const { text } = await read('month=2026-06');
    expect(text).toContain('numbers up to 1 June 2026, 13:00');
  });

  it('of the same month twice, has the same bytes', async () => {
    const [one, other] = [await get('month=2026-03'), await get('month=2026-03')];
    expect(one.rawPayload.equals(other.rawPayload)).toBe(true);
  });

  it.each([
    ['', 'month'],
    ['month=2026-13', 'month'],
    ['month=2026-3', 'month'],
    ['month=9999-12', 'month'],
    ['month=0001-01', 'month'],
    ['month=2026-03&start_time=0', 'month'],
    ['month=2026-03&start_time=0&end_time=1', 'month'],
    ['start_time=0', 'end_time'],
    ['end_time=0', 'start_time'],
    ['start_time=5&end_time=5', 'end_time'],
    ['start_time=2026-01-01T00:00:00Z&end_time=2026-04-04T00:00:01Z', 'end_time'],
    ['start_time=0001-01-01T00:00:00Z&end_time=0001-01-02T00:00:00Z', 'start_time'],
  ])('with %s, is refused and names %s', async (query, path) => {
    const response = await get(query);
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { code: 'invalid_request', details: [{ path }] },
    ]);
  });

  it('of 93 days over a clock change, is accepted', async () => {
    const { statusCode } = await get('start_time=2026-01-01T00:00:00Z&end_time=2026-04-03T23:00:00Z');
    expect(statusCode).toBe(200);
  });

  it('with a cached crop, shows it beside its species', async () => {
    const before = (await get('month=2026-02')).rawPayload;
    const { rows } = await reports.database.pool.query<{ id: number; video: number }>(
      `SELECT id, video_id AS video FROM detection WHERE start_time < '2026-02-21' LIMIT 1`,
    );
    const { id = 0, video = 0 } = rows[0] ?? {};
    const folder = join(reports.dataDir, 'derived', 'crops', '0', String(video));
    await mkdir(folder, { recursive: true });
    const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const picture = sharp({ create: { width: 90, height: 200, channels: 3, background: 'red', noise } });
    await writeFile(join(folder, `${id}-crop-x.jpg`), await picture.jpeg().toBuffer());
    const after = (await get('month=2026-02')).rawPayload;
    expect(before.includes('/DCTDecode')).toBe(false);
    expect(after.includes('/DCTDecode')).toBe(true);
    await writeFile(join(folder, `${id}-crop-x.jpg`), 'no picture');
    expect((await get('month=2026-02')).rawPayload.equals(before)).toBe(true);
  });

  it('of a month with many visits, takes as many statements as one with few', async () => {
    const { pool } = reports.database;
    const count = () => {
      reports.settings.forget();
      return countStatements(pool, () => get('month=2019-01'));
    };
    const few = await count();
    const from = Date.UTC(2019, 0, 1);
    await insertManyVisits(pool, { count: 20_000, from, everyMs: 120_000 });
    expect(await count()).toBe(few);
    const { text } = await read('month=2019-01');
    expect(text).toContain('20,000\nvisits');
    expect(text).toContain('28 of 31');
  });
});
