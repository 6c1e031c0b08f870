import { aDetection, aRecording } from '@birdhub/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestQuery, type TestQuery } from '../testing/create-test-query.js';
import { expectShape } from '../testing/expect-shape.js';
import { hour, minute, speciesIdOf } from '../testing/timeline.js';
import { SpeciesSummarySchema } from './species.schema.js';

const now = Date.UTC(2026, 4, 31, 12);
const day = 24 * hour;
const hours = (entries: Record<number, number>) => Array.from({ length: 24 }, (_, at) => entries[at] ?? 0);

describe('GET /species/:id/summary', () => {
  let query: TestQuery;
  beforeAll(async () => {
    query = await createTestQuery();
    query.clock.set(now);
  });
  afterAll(() => query.close());

  async function summaryOf(name: string) {
    const { body } = await query.get(`/api/ui/species/${await speciesIdOf(query, name)}/summary`);
    expectShape(SpeciesSummarySchema, body);
    return body;
  }
  const post = (start: number, ...names: string[]) =>
    query.post(aRecording({ start, detections: names.map((speciesName) => aDetection({ speciesName })) }));

  it('of a species without visits, has only the values of the catalogue', async () => {
    const wren = await summaryOf('Eurasian Wren');
    expect(wren.species).toEqual({
      id: expect.any(Number),
      name: 'Eurasian Wren',
      scientific_name: 'Troglodytes troglodytes',
      image_url: null,
      thumbhash: null,
      description: null,
      description_language: null,
      description_source: null,
      active: false,
      group: 'bird',
      parent: { id: expect.any(Number), name: expect.any(String) },
    });
    expect(wren.stats).toEqual({
      visits: { visits_24h: 0, visits_7d: 0, visits_30d: 0 },
      hourlyVisits: hours({}),
      peak_count_30d: null,
      total_visits: 0,
      heard_only: false,
      detections: { detections_24h: 0, detections_7d: 0, detections_30d: 0 },
      hourlyActivity: hours({}),
      timeRange: { first_sighting: null, last_sighting: null },
      weather: [],
      food: [],
    });
    expect([wren.subspecies, wren.recentVisits]).toEqual([[], []]);
  });

  it('of a tree of species, has the totals of every depth, and of each child with all below it', async () => {
    await post(now - 2 * hour, 'Tiny Form', 'Tiny Species');
    await query.post(
      aRecording({
        start: now - 6 * day,
        detections: [1, 2].map((track) => aDetection({ speciesName: 'Tiny Form', trackId: String(track) })),
      }),
    );
    await post(now - 29 * day, 'Other Species');
    await post(now - 31 * day, 'Tiny Family');
    const parents = {
      'Tiny Form': 'Tiny Species',
      'Tiny Species': 'Tiny Family',
      'Other Species': 'Tiny Family',
    };
    for (const [child, parent] of Object.entries(parents))
      await query.database.pool.query(
        'UPDATE species SET parent_id = (SELECT id FROM species WHERE name = $2) WHERE name = $1',
        [child, parent],
      );
    await query.notify({ kind: 'everything' });
    const family = await summaryOf('Tiny Family');
    expect(family.stats).toMatchObject({
      detections: { detections_24h: 2, detections_7d: 4, detections_30d: 5 },
      hourlyActivity: hours({ 10: 2, 12: 3 }),
      visits: { visits_24h: 2, visits_7d: 3, visits_30d: 4 },
      hourlyVisits: hours({ 10: 2, 12: 2 }),
      peak_count_30d: 2,
      total_visits: 5,
      heard_only: false,
      timeRange: { first_sighting: '2026-04-30T12:00:00+00:00', last_sighting: '2026-05-31T10:00:02+00:00' },
    });
    expect(family.subspecies).toMatchObject([
      {
        species: { name: 'Other Species' },
        stats: {
          detections: { detections_24h: 0, detections_7d: 0, detections_30d: 1 },
          hourlyActivity: hours({ 12: 1 }),
        },
      },
      {
        species: { name: 'Tiny Species', scientific_name: null, image_url: null },
        stats: {
          detections: { detections_24h: 2, detections_7d: 4, detections_30d: 4 },
          hourlyActivity: hours({ 10: 2, 12: 2 }),
          visits: { visits_24h: 2, visits_7d: 3, visits_30d: 3 },
          peak_count_30d: 2,
        },
      },
    ]);
    expect(family.species.parent).toBeNull();
    expect(family.recentVisits.map((item: { start_time: string }) => item.start_time.slice(0, 10))).toEqual([
      '2026-05-31',
      '2026-05-31',
      '2026-05-25',
      '2026-05-02',
      '2026-04-30',
    ]);
    const form = await summaryOf('Tiny Form');
    expect(form.species.parent.name).toBe('Tiny Species');
    expect(form.recentVisits).toHaveLength(2);
  });

  it('with weather and food, counts them by visit, in whole degrees and per cent', async () => {
    const { pool } = query.database;
    const measure = `INSERT INTO weather_snapshot (source, temp, clouds, fetched_at) VALUES ('open-meteo', $1, $2, $3)`;
    await pool.query(measure, [12.5, 40, new Date(now - 3 * day)]);
    await pool.query(measure, [-0.6, 39.6, new Date(now - 2 * day)]);
    await pool.query(measure, [20, null, new Date(now - day)]);
    await pool.query(
      `WITH food AS (INSERT INTO bird_food (name) VALUES ('Seeds'), ('Nuts') RETURNING id, name)
       INSERT INTO food_period (food_id, started_at, ended_at)
       SELECT id, $1::timestamptz, CASE WHEN name = 'Nuts' THEN $2::timestamptz END FROM food`,
      [new Date(now - 3 * day), new Date(now - 2.5 * day)],
    );
    for (const offset of [-3 * day, -3 * day + 10_000, -3 * day + 10 * minute, -2 * day, -day])
      await post(now + offset + minute, 'Hungry Species');
    const { stats } = await summaryOf('Hungry Species');
    expect(stats.weather).toEqual([
      { temp: 13, clouds: 40, count: 2, visits: 2 },
      { temp: -1, clouds: 40, count: 1, visits: 1 },
    ]);
    expect(stats.food).toEqual([
      { name: 'Seeds', count: 4 },
      { name: 'Nuts', count: 2 },
    ]);
  });

  it('of an audio-only owl, is heard only, with one visit for each call', async () => {
    const call = () => aDetection({ speciesName: 'Calling Owl', source: 'audio', frames: [] });
    for (const offset of [-day, -2 * day]) {
      await query.post(aRecording({ start: now + offset, detections: [call(), call()] }));
    }
    const { stats } = await summaryOf('Calling Owl');
    expect(stats).toMatchObject({ total_visits: 2, heard_only: true, peak_count_30d: 1 });
    expect(stats.visits).toEqual({ visits_24h: 1, visits_7d: 2, visits_30d: 2 });
  });

  it('over a clock change, has the hours of the zone of the hub', async () => {
    query.clock.set(Date.UTC(2026, 9, 26, 12));
    await post(Date.UTC(2026, 9, 24, 12), 'Early Species');
    await post(Date.UTC(2026, 9, 25, 12), 'Early Species');
    await query.setSettings({ general: { timezone: 'Europe/London' } });
    expect((await summaryOf('Early Species')).stats.hourlyActivity).toEqual(hours({ 12: 1, 13: 1 }));
    await query.setSettings({});
    query.clock.set(now);
  });

  it('with an advanced clock, moves the last day', async () => {
    const last = async (after: number) => {
      query.clock.set(now + after);
      return (await summaryOf('Tiny Form')).stats.detections.detections_24h;
    };
    expect(await last(22 * hour)).toBe(1);
    expect(await last(22 * hour + minute)).toBe(0);
  });

  it('of an unknown species, is 404', async () => {
    const { status, body } = await query.get('/api/ui/species/999999/summary');
    expect([status, body.code]).toEqual([404, 'species_not_found']);
  });
});
