import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  aRecordingBody,
  createTestIngest,
  startingAt,
  type TestIngest,
} from '../testing/create-test-ingest.js';

describe('POST /videos, weather and food of a recording', () => {
  let hub: TestIngest;
  beforeAll(async () => {
    hub = await createTestIngest();
    await hub.database.pool.query('TRUNCATE food_period');
  });
  afterAll(() => hub.close());

  /** `minutes` from the usual start of a recording. */
  const at = (minutes: number) => new Date(Date.UTC(2026, 4, 1, 11) + minutes * 60_000);

  async function addWeather(minutes: number, main: string): Promise<void> {
    await hub.database.pool.query(
      `INSERT INTO weather_snapshot (source, main, fetched_at) VALUES ('open-meteo', $1, $2)`,
      [main, at(minutes)],
    );
  }

  async function addFood(name: string, from: number, to: number | null): Promise<void> {
    await hub.database.pool.query(
      `WITH food AS (INSERT INTO bird_food (name) VALUES ($1) RETURNING id)
       INSERT INTO food_period (food_id, started_at, ended_at) SELECT id, $2, $3 FROM food`,
      [name, at(from), to === null ? null : at(to)],
    );
  }

  const contextOf = async (videoId: number) => {
    const [row] = await hub.rows<{ weather: string | null; foods: string[] }>(
      `SELECT main AS weather, (SELECT coalesce(json_agg(name ORDER BY name), '[]')
         FROM video_food JOIN bird_food ON bird_food.id = food_id WHERE video_id = video.id) AS foods
       FROM video LEFT JOIN weather_snapshot ON weather_snapshot.id = weather_id WHERE video.id = $1`,
      [videoId],
    );
    return row;
  };

  async function post(path: string, minutes: number) {
    const body = aRecordingBody({ video_path: path, ...startingAt(minutes * 60), species: [] });
    return contextOf((await hub.post('/videos', body)).body.video_id);
  }

  it('without weather and food data, has none', async () => {
    expect(await post('nothing.mp4', -600)).toEqual({ weather: null, foods: [] });
  });

  it('posted hours late, has the weather and the foods of its start', async () => {
    await addWeather(-9, 'Rain');
    await addWeather(10, 'Sun');
    await addFood('Peanuts', -60, null);
    await addFood('Fat balls', -60, 0);
    await addFood('Suet', 0, 30);
    await addFood('Nyjer', 1, null);
    expect(await post('late.mp4', 0)).toEqual({ weather: 'Rain', foods: ['Peanuts', 'Suet'] });
  });

  it('with weather data only from just after its start, has that', async () => {
    expect(await post('before-any.mp4', -11)).toEqual({ weather: 'Rain', foods: ['Fat balls', 'Peanuts'] });
  });

  it('posted again with another start, has the weather and foods of that time', async () => {
    await post('moved.mp4', 0);
    expect(await post('moved.mp4', 40)).toEqual({ weather: 'Sun', foods: ['Nyjer', 'Peanuts'] });
    expect(await post('moved.mp4', -600)).toEqual({ weather: null, foods: [] });
  });

  it('posted again with the same start, keeps its weather and foods', async () => {
    const first = await hub.post('/videos', aRecordingBody({ video_path: 'kept.mp4' }));
    const before = await contextOf(first.body.video_id);
    await hub.post('/videos', aRecordingBody({ video_path: 'kept.mp4', processor_version: '3' }));
    expect(before).toEqual({ weather: 'Rain', foods: ['Peanuts', 'Suet'] });
    expect(await contextOf(first.body.video_id)).toEqual(before);
  });
});
