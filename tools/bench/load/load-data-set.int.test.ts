import {
  createTestDatabase,
  readCountedFiles,
  readExpectedState,
  readFiles,
  readStoredState,
  type TestDatabase,
} from '@birdhub/testing';
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
  it('into all tables, writes as many rows as the data set has', async () => {
    expect(await countOf('video')).toBe(recordings);
    expect(await countOf('detection')).toBe(detections);
    expect(await countOf('species_visit')).toBe(visits);
    expect(await countOf('weather_snapshot')).toBe(scale.days * 24);
    expect(await countOf('video_food')).toBe(recordings * 3);
    expect(await countOf('camera')).toBe(2);
  });

  it('without checks of foreign keys, writes only valid references', async () => {
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

  it('for visits, rollups and counters, matches what the rule derives from the detections', async () => {
    expect(await readStoredState(database.pool)).toEqual(await readExpectedState(database.pool));
  });

  it('for files, counts those of the recordings per quarter of an hour and in total', async () => {
    const files = await readFiles(database.pool);
    expect(files.bytes).toBeGreaterThan(recordings * 1_000_000);
    expect(await readCountedFiles(database.pool)).toEqual(files);
  });

  it('for the last days and the fixed ones, writes thirty boxes per video detection', async () => {
    const withBoxes = `detection WHERE source = 'video'
      AND (start_time >= '2025-12-29' OR start_time::date IN ('2025-10-19', '2025-11-16'))`;
    expect(await countOf('detection_track')).toBe(await countOf(withBoxes));
    expect(await countOf('detection_track WHERE json_array_length(frames) <> 30')).toBe(0);
  });

  it('after loading, leaves the sequence at the next id', async () => {
    const [row] = await rowsOf(`INSERT INTO video (video_path, start_time, end_time, content_hash)
      VALUES ('next/video.mp4', now(), now(), '') RETURNING id::int`);
    expect(row).toEqual({ id: recordings + 1 });
  });
});
