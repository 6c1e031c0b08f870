import { aDetection, aRecording, insertManyVisits } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { readPlan } from '../testing/measurements.js';
import { hour, minute } from '../testing/timeline.js';
import { OverviewSchema } from './overview.schema.js';
import { overviewSql } from './overview.store.js';

const day = Date.UTC(2026, 4, 1);
const path = '/api/ui/overview';
const hours = (entries: Record<number, number>) => Array.from({ length: 24 }, (_, at) => entries[at] ?? 0);

describe('GET /overview', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
  });
  afterAll(() => query.close());
  const get = async (parameters: string) => (await query.get(`${path}?${parameters}`)).body;

  it('for an empty day, has zeros and nulls', async () => {
    const body = await get('date=2020-01-01');
    expectShape(OverviewSchema, body);
    expect(body).toEqual({
      topSpecies: [],
      stats: {
        uniqueSpecies: 0,
        totalDetections: 0,
        lastHourDetections: 0,
        busiestHour: null,
        avgVisitDuration: 0,
        videoDuration: 0,
        audioDuration: 0,
        detectionByProvider: {},
      },
      hourlyTemperature: Array(24).fill(null),
      lastDetection: null,
      noteworthy: [],
      first_visit_date: null,
      observer_timezone: 'UTC',
    });
  });

  it('for a day with several species, has their sums without generic ones', async () => {
    await query.database.pool.query(
      `INSERT INTO weather_snapshot (source, temp, fetched_at) VALUES ('open-meteo', 12.5, $1)`,
      [new Date(day + 8 * hour)],
    );
    const robin = { speciesName: 'European Robin' };
    await query.post(
      aRecording({
        start: day + 8 * hour,
        detections: [
          aDetection({ provider: 'yolo', endOffset: 4 }),
          aDetection({ provider: 'yolo', startOffset: 1 }),
          aDetection({ source: 'audio', endOffset: 1.5 }),
          aDetection({ speciesName: 'Bird', endOffset: 9 }),
        ],
      }),
    );
    await query.post(aRecording({ start: day + 8.5 * hour }));
    await query.post(
      aRecording({ start: day + 9 * hour, videoPath: 'robin.flac', detections: [aDetection(robin)] }),
    );
    await query.post(
      aRecording({ start: day + 20 * hour, detections: [aDetection({ speciesName: 'Bird' })] }),
    );
    const body = await get('date=2026-05-01');
    expectShape(OverviewSchema, body);
    expect(body).toMatchObject({
      topSpecies: [
        { name: 'Great Tit', detections: hours({ 8: 2 }) },
        { name: 'European Robin', detections: hours({ 9: 1 }) },
      ],
      stats: {
        uniqueSpecies: 2,
        totalDetections: 3,
        lastHourDetections: 0,
        busiestHour: 8,
        avgVisitDuration: 2.667,
        videoDuration: 9,
        audioDuration: 1.5,
        detectionByProvider: { legacy: 3, yolo: 2 },
      },
      lastDetection: {
        species_name: 'European Robin',
        start_time: '2026-05-01T09:00:00+00:00',
        media_kind: 'audio',
      },
      first_visit_date: '2026-05-01',
    });
    expect(body.hourlyTemperature[8]).toBe(12.5);
  });

  it('of a past day, after an older visit of its species was posted, is of a species that came before', async () => {
    const nightjar = (start: number) =>
      query.post(aRecording({ start, detections: [aDetection({ speciesName: 'European Nightjar' })] }));
    const newSpecies = async () => (await get('date=2026-02-10')).noteworthy;
    await nightjar(Date.UTC(2026, 0, 1, 8) - 200 * 24 * hour);
    await query.post(aRecording({ start: Date.UTC(2026, 0, 1, 8) - 400 * 24 * hour }));
    await nightjar(Date.UTC(2026, 1, 10, 8));
    const before = await newSpecies();
    await nightjar(Date.UTC(2026, 1, 9, 8));
    expect([before, await newSpecies()]).toEqual([[expect.anything()], []]);
  });

  it('with more than ten species, has the first ten, by name where equal', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `Bird of Number ${String(at).padStart(2, '0')}`);
    const detections = names.map((speciesName) => aDetection({ speciesName }));
    await query.post(aRecording({ start: day + 24 * hour, detections: detections.toReversed() }));
    const { topSpecies, stats } = await get('date=2026-05-02');
    expect(topSpecies.map(({ name }: { name: string }) => name)).toEqual(names.slice(0, 10));
    expect(stats.uniqueSpecies).toBe(12);
  });

  it('without parameters, is that of today in the zone of the hub', async () => {
    query.clock.set(Date.UTC(2026, 6, 1, 23, 30));
    await query.post(aRecording({ start: Date.UTC(2026, 6, 1, 23) }));
    expect((await get('')).stats.totalDetections).toBe(1);
    await query.setSettings({ general: { timezone: 'Asia/Kathmandu' } });
    const body = await get('');
    expect(body.topSpecies[0].detections).toEqual(hours({ 4: 1 }));
    expect(body.observer_timezone).toBe('Asia/Kathmandu');
    query.clock.set(Date.UTC(2026, 6, 2, 18, 15));
    expect((await get('')).stats.totalDetections).toBe(0);
    await query.setSettings({});
  });

  it('with an advanced clock, counts the visits of the last hour only', async () => {
    const start = Date.UTC(2026, 7, 1, 12);
    await query.post(aRecording({ start }));
    const lastHour = async (after: number) => {
      query.clock.set(start + after);
      return (await get('')).stats.lastHourDetections;
    };
    expect(await lastHour(hour)).toBe(1);
    expect(await lastHour(hour + minute - 1)).toBe(1);
    expect(await lastHour(hour + minute)).toBe(0);
  });

  it.each([
    ['start_time=1', 'end_time'],
    ['end_time=1', 'start_time'],
    ['date=2026-02-30', 'date'],
    ['start_time=0&end_time=9999999', 'end_time'],
  ])('%s, is refused for %s', async (parameters, at) => {
    const { status, body } = await query.get(`${path}?${parameters}`);
    expect([status, body.code, body.details[0].path]).toEqual([400, 'invalid_request', at]);
  });
});

describe('GET /overview on many visits', () => {
  let query: TestQuery;
  const from = Date.UTC(2026, 0, 1);
  const day = 86_400_000;
  beforeAll(async () => {
    query = await createTestQuery({ responseCacheMb: 0 });
  });
  afterAll(() => query.close());

  it('with ten or ten thousand, takes one statement beside that of the weather', async () => {
    const path = `/api/ui/overview?start_time=${from / 1000}&end_time=${(from + 30 * day) / 1000}`;
    await insertManyVisits(query.database.pool, { count: 10, from, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(2);
    await insertManyVisits(query.database.pool, { count: 9_990, from: from + day, everyMs: 2 * minute });
    expect(await query.countStatements(path)).toBe(2);
    expect((await query.get(path)).body.stats.totalDetections).toBe(10_000);
  });

  it.each([1, 3])('with %d days, reads no history table completely', async (days) => {
    const end = from + days * day;
    const plan = await readPlan(query.database.pool, overviewSql, [
      new Date(from),
      new Date(end),
      [new Date(from)],
      [0],
      new Date(end),
    ]);
    expect(plan).toMatch(/Index Scan using detection_visit_id_end_time_idx/);
    expect(plan).not.toMatch(/Seq Scan on (detection|video|species_visit)\b/);
  });
});
