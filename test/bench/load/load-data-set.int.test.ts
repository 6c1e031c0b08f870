import { createTestDatabase, type TestDatabase } from '@birdhub/shared/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateDays } from '../data-set/generate-days.js';
import { type Scale, scales } from '../data-set/scale.js';
import { loadDataSet } from './load-data-set.js';

const scale: Scale = { ...scales['100k'], days: 80, recordings: 6_000, daysWithBoxes: 3 };
const days = [...generateDays(scale)];
const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
const recordings = sum(days.map(({ made }) => made.length));
const detections = sum(days.flatMap(({ made }) => made.map((recording) => recording.detections.length)));
const visits = sum(days.map((day) => day.visits.length));

let database: TestDatabase;

async function rowsOf(sql: string): Promise<unknown[]> {
  return (await database.pool.query(sql)).rows;
}

async function countOf(source: string): Promise<number> {
  const { rows } = await database.pool.query(`SELECT count(*)::int AS count FROM ${source}`);
  return rows[0].count;
}

beforeAll(async () => {
  database = await createTestDatabase();
  await loadDataSet(database.url, scale);
});

afterAll(() => database.drop());

describe('loadDataSet', () => {
  it('rows, of all tables, are as many as the data set has', async () => {
    expect(await countOf('video')).toBe(recordings);
    expect(await countOf('detection')).toBe(detections);
    expect(await countOf('species_visit')).toBe(visits);
    expect(await countOf('weather_snapshot')).toBe(scale.days * 24);
    expect(await countOf('video_food')).toBe(recordings * 3);
    expect(await countOf('camera')).toBe(2);
  });

  it('references, loaded without checks, all lead somewhere', async () => {
    expect(
      await countOf(`detection JOIN video ON video.id = video_id JOIN species_visit visit ON visit.id = visit_id
        JOIN species ON species.id = detection.species_id
        WHERE visit.species_id = species.id AND species.name = posted_name
          AND detection.start_time BETWEEN visit.start_time AND visit.end_time
          AND detection.end_time BETWEEN visit.start_time AND visit.end_time
          AND detection.start_time BETWEEN video.start_time AND video.end_time`),
    ).toBe(detections);
    expect(
      await countOf(
        'video JOIN weather_snapshot weather ON weather.id = weather_id AND start_time >= fetched_at',
      ),
    ).toBe(recordings);
  });

  it('visits, by their own detections, have the bounds and counts that the rows say', async () => {
    const wrong = await rowsOf(`
      SELECT visit.id FROM species_visit visit JOIN detection ON visit_id = visit.id GROUP BY visit.id
      HAVING min(detection.start_time) <> visit.start_time OR max(detection.end_time) <> visit.end_time
        OR count(*) <> detection_count OR count(*) FILTER (WHERE source = 'video') <> video_count`);
    expect(wrong).toEqual([]);
  });

  it('rollups, of each day, are the sums of its visits', async () => {
    const fromVisits = `
      SELECT start_time::date AS day, species_id, count(*)::int AS visits, sum(max_simultaneous)::int AS individuals,
        (count(*) FILTER (WHERE video_count > 0))::int AS video_visits, sum(detection_count)::int AS detections,
        sum(extract(epoch FROM end_time - start_time))::numeric(14, 3) AS seconds
      FROM species_visit GROUP BY 1, 2`;
    expect(await rowsOf(`(${fromVisits}) EXCEPT SELECT * FROM visit_day`)).toEqual([]);
    expect(await rowsOf(`SELECT * FROM visit_day EXCEPT (${fromVisits})`)).toEqual([]);
  });

  it('totals and counters, of the store, are the sums of its rows', async () => {
    const fromDays =
      'SELECT species_id, sum(visits)::bigint, sum(individuals)::bigint FROM visit_day GROUP BY 1';
    expect(await rowsOf(`(${fromDays}) EXCEPT SELECT * FROM species_total`)).toEqual([]);
    expect(await countOf('visit_month')).toBeGreaterThan(0);
    expect(
      await rowsOf(`
        SELECT species_id, sum(visits), sum(individuals), sum(video_visits) FROM visit_day GROUP BY 1 EXCEPT
        SELECT species_id, sum(visits), sum(individuals), sum(video_visits) FROM visit_month GROUP BY year > 0, 1`),
    ).toEqual([]);
    expect(await rowsOf('SELECT name, value FROM hub_counter ORDER BY name')).toEqual([
      { name: 'camera:feeder', value: await countOf(`video WHERE camera_id = 'feeder'`) },
      { name: 'camera:garden', value: await countOf(`video WHERE camera_id = 'garden'`) },
      { name: 'detections', value: detections },
      { name: 'videos', value: recordings },
      { name: 'visits', value: visits },
    ]);
  });

  it('boxes, of the last days and of the fixed ones, are thirty for each detection of the picture', async () => {
    const withBoxes = `detection WHERE source = 'video'
      AND (start_time >= '2025-12-29' OR start_time::date IN ('2025-10-19', '2025-11-16'))`;
    expect(await countOf('detection_track')).toBe(await countOf(withBoxes));
    expect(await countOf('detection_track WHERE json_array_length(frames) <> 30')).toBe(0);
  });

  it('a row, added after loading, gets the next id', async () => {
    const [row] = await rowsOf(`INSERT INTO video (video_path, start_time, end_time, content_hash)
      VALUES ('next/video.mp4', now(), now(), '') RETURNING id::int`);
    expect(row).toEqual({ id: recordings + 1 });
  });
});
