import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { aDetection, aRecording, insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestReports, type TestReports } from '../testing/create-test-reports.js';

const start = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;
const header =
  'id,species_name,start_time,end_time,duration_sec,max_simultaneous,detection_count,temp,clouds,media_kind';

describe('GET /timeline/export', () => {
  let reports: TestReports;
  const get = async (query: string) => {
    const response = await reports.app.inject({ url: `/api/ui/timeline/export?${query}` });
    return { status: response.statusCode, headers: response.headers, body: response.body };
  };
  const json = async (query: string) => JSON.parse((await get(query)).body);

  beforeAll(async () => {
    reports = await createTestReports();
    const { writer, database } = reports;
    await database.pool.query(
      `INSERT INTO weather_snapshot (source, temp, clouds, fetched_at) VALUES ('test', -3.5, 40, $1)`,
      [new Date(start + 2 * hour - 60_000)],
    );
    const bird = (speciesName: string, given: object = {}) => aDetection({ speciesName, ...given });
    const two = [bird('Great Tit'), bird('Great Tit', { startOffset: 1, endOffset: 3.25 })];
    await writer.post(aRecording({ start, detections: two }), 'test');
    const odd = [bird('=HYPERLINK("x"), great, tit'), bird('Bird'), bird('大山雀')];
    await writer.post(aRecording({ start: start + 2 * hour, detections: odd }), 'test');
    await writer.post(aRecording({ start: start + 3 * hour, detections: [] }), 'test');
  });
  afterAll(() => reports.close());

  it('as JSON, by default, is an array of rows, newest first, with the keys in order', async () => {
    const { status, headers, body } = await get('date=2026-05-01');
    expect(status).toBe(200);
    expect(headers['content-disposition']).toBe('attachment; filename="birdhub_2026-05-01_2026-05-01.json"');
    const rows = JSON.parse(body);
    expect(rows).toHaveLength(4);
    expect(Object.keys(rows[0]).join()).toBe(header);
    expect(rows.at(-1)).toEqual({
      id: expect.any(Number),
      species_name: 'Great Tit',
      start_time: '2026-05-01T08:00:00+00:00',
      end_time: '2026-05-01T08:00:03.25+00:00',
      duration_sec: 3.25,
      max_simultaneous: 2,
      detection_count: 2,
      temp: null,
      clouds: null,
      media_kind: 'video',
    });
    expect(rows[0]).toMatchObject({ temp: -3.5, clouds: 40 });
  });

  it('as CSV, has a header, CRLF, quotes where needed and no formulas', async () => {
    const { headers, body } = await get('date=2026-05-01&format=csv');
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [first, ...rows] = body.split('\r\n');
    expect(first).toBe(header);
    expect(rows.pop()).toBe('');
    expect(rows).toHaveLength(4);
    expect(body).toContain(`,"'=HYPERLINK(""x""), great, tit",2026-05-01T10:00:00+00:00,`);
    expect(rows.at(-1)).toMatch(
      /^\d+,Great Tit,2026-05-01T08:00:00\+00:00,2026-05-01T08:00:03\.25\+00:00,3\.25,2,2,,,video$/,
    );
    expect(rows[0]).toMatch(/,2,1,1,-3\.5,40,video$/);
  });

  it('as eBird, has no header, no generic birds and 19 columns without quotes', async () => {
    await reports.setSettings({ ebird: { species_mapping: { 大山雀: 'Great Tit' } } });
    const { headers, body } = await get('date=2026-05-01&format=ebird');
    await reports.setSettings({});
    expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=absent');
    const rows = body.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').length)).toEqual([19, 19]);
    expect(rows.map((row) => row.split(',').slice(0, 4).join())).toEqual([
      'HYPERLINK( x ) great tit,,,1',
      'Great Tit,Parus,major,2',
    ]);
    expect(body).not.toContain('"');
  });

  it('as eBird, of a day into which a visit of the day before reaches, lists it only on the day of its start', async () => {
    const midnight = Date.UTC(2026, 5, 2);
    const long = aDetection({ speciesName: 'Great Tit', endOffset: 20 });
    await reports.writer.post(aRecording({ start: midnight - 10_000, detections: [long] }), 'test');
    expect(await json('date=2026-06-02')).toMatchObject([{ start_time: '2026-06-01T23:59:50+00:00' }]);
    expect((await get('date=2026-06-02&format=ebird')).body).toBe('');
    expect((await get('date=2026-06-01&format=ebird')).body).toMatch(/^Great Tit,.*,06\/01\/2026,23:59,/);
  });

  it.each([
    ['audio', ['audio', 'audio'], 'heard once by a microphone'],
    ['audio and video', ['audio', 'video'], '1 visit to a feeder camera'],
  ] as const)('as eBird, of a visit found by %s, says so', async (_, sources, comment) => {
    const at = Date.UTC(2026, 5, 5 + new Set(sources).size, 8);
    const detections = sources.map((source, offset) =>
      aDetection({ speciesName: 'Great Tit', source, startOffset: offset, endOffset: offset + 2 }),
    );
    await reports.writer.post(aRecording({ start: at, detections }), 'test');
    const day = new Date(at).toISOString().slice(0, 10);
    expect((await get(`date=${day}&format=ebird`)).body.split(',')[4]).toBe(comment);
  });

  it.each([
    ['a sound, continued by a video', '2026-06-20', 'late.wav', 'audio', 'Great Tit'],
    ['a picture, with a run heard in a video', '2026-06-23', 'late.jpg', 'video', 'Myrtle Warbler'],
  ] as const)(
    'of a visit that starts before the end of the window with %s, has its media kind',
    async (_, day, videoPath, source, speciesName) => {
      const midnight = Date.parse(day) + 24 * hour;
      const post = (given: Parameters<typeof aRecording>[0]) =>
        reports.writer.post(aRecording(given), 'test');
      const first = aDetection({ speciesName, source, endOffset: 2 });
      await post({ start: midnight - 10_000, videoPath, detections: [first] });
      const later =
        source === 'audio'
          ? aDetection({ speciesName })
          : aDetection({ speciesName: 'Yellow-rumped Warbler', source: 'audio' });
      await post({ start: midnight + 10_000, videoPath: `${day}.mp4`, detections: [later] });
      const [visit, ...others] = await json(`date=${day}`);
      expect([visit?.media_kind, visit?.detection_count, others]).toEqual(['video', 2, []]);
      const { body } = await get(`date=${day}&format=csv`);
      expect(body).toMatch(/,video\r\n$/);
    },
  );

  it('of a visit with an audio-only run of the days before, has the weather of its first recording', async () => {
    const day = 24 * hour;
    const heardFrom = Date.UTC(2026, 3, 1);
    const { pool } = reports.database;
    await pool.query(
      `INSERT INTO weather_snapshot (source, temp, clouds, fetched_at) VALUES ('test', 7.5, 20, $1)`,
      [new Date(heardFrom)],
    );
    const { rows } = await pool.query<{ child: string; parent: string }>(
      `SELECT child.name AS child, parent.name AS parent FROM species child JOIN species parent ON parent.id = child.parent_id
       WHERE child.rank = 'species' AND NOT parent.generic ORDER BY child.id LIMIT 1`,
    );
    const { child = '', parent = '' } = rows[0] ?? {};
    const heard = aDetection({ speciesName: parent, source: 'audio', endOffset: day / 1000 });
    for (const days of [0, 1, 2])
      await reports.writer.post(
        aRecording({ start: heardFrom + days * day, end: heardFrom + (days + 1) * day, detections: [heard] }),
        'test',
      );
    const seenAt = heardFrom + 2 * day + hour;
    await reports.writer.post(
      aRecording({ start: seenAt, cameraId: 'nest', detections: [aDetection({ speciesName: child })] }),
      'test',
    );
    const expected = {
      species_name: child,
      start_time: '2026-04-03T01:00:00+00:00',
      detection_count: 4,
      temp: 7.5,
    };
    for (const filter of ['', '&camera_id=nest'])
      expect(await json(`date=2026-04-03${filter}`)).toMatchObject([expected]);
  });

  it.each([
    ['source=audio', 0],
    ['min_confidence=0.9', 4],
    ['camera_id=nest', 0],
    ['favorite=true', 0],
  ])('with the filter %s, has %i rows', async (filter, count) => {
    expect(await json(`date=2026-05-01&${filter}`)).toHaveLength(count);
  });

  it('with a window that starts within a visit, contains it', async () => {
    const from = start / 1000 + 1;
    expect(await json(`start_time=${from}&end_time=${from + 60}`)).toMatchObject([
      { species_name: 'Great Tit' },
    ]);
  });

  it.each(['csv', 'json', 'ebird'])('with an empty window as %s, is empty', async (format) => {
    const { status, body } = await get(`date=2020-01-01&format=${format}`);
    expect([status, body]).toEqual([200, { csv: `${header}\r\n`, json: '[]', ebird: '' }[format]]);
  });

  it.each([
    ['date=2026-05-01&format=xml', 'format'],
    ['format=csv', 'start_time'],
    ['start_time=0&end_time=31708800', 'end_time'],
    ['date=2026-02-30', 'date'],
    ['date=2026-05-01&species_id=x', 'species_id'],
  ])('with %s, is refused and names %s', async (query, path) => {
    const { status, body } = await get(query);
    expect([status, JSON.parse(body)]).toMatchObject([400, { code: 'invalid_request', details: [{ path }] }]);
  });

  describe('of many visits', () => {
    const from = Date.UTC(2025, 0, 1);
    const count = 30_000;
    const year = `start_time=${from / 1000}&end_time=${from / 1000 + 366 * 86_400}`;
    beforeAll(() =>
      insertManyVisits(reports.database.pool, { count, from, everyMs: 15 * 60_000, cameraId: 'yard' }),
    );

    it('of a year, is complete and unique, newest first', async () => {
      const rows = await json(year);
      const starts = rows.map(({ start_time }: { start_time: string }) => Date.parse(start_time));
      expect(rows).toHaveLength(count);
      expect(new Set(rows.map(({ id }: { id: number }) => id)).size).toBe(count);
      expect(starts).toEqual([...starts].sort((one, other) => other - one));
    });

    it('for a client that disconnects, ends its query and frees the connection', async () => {
      await reports.app.listen({ port: 0, host: '127.0.0.1' });
      const { port } = reports.app.server.address() as AddressInfo;
      await new Promise<void>((resolve, reject) => {
        const asked = request({ port, path: `/api/ui/timeline/export?${year}&format=csv` }, (response) => {
          response.once('data', () => {
            response.destroy();
            resolve();
          });
        });
        asked.on('error', reject).end();
      });
      const { pool } = reports.database;
      await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), 5_000);
    });
  });
});
