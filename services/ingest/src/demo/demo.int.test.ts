import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import { systemClock } from '@birdhub/shared/time';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aDetectionBody,
  aRecordingBody,
  createTestIngest,
  type TestIngest,
} from '../testing/create-test-ingest.js';
import type { DemoDeps } from './demo.js';

const route = '/api/ui/demo';
const soon = { timeout: 110_000, interval: 50 };
/** Noon in New York, evening in Berlin: the same birds have visited by then in every run of the tests. */
const aheadMs = Date.now() - Date.UTC(2026, 4, 1, 16);
/** A short past, without clips, as making these takes long. */
const small = {
  sizes: { days: 2, pastDays: 3, perDay: [6, 8], pastPerDay: [4, 6], liveEveryMs: 50 },
  ffmpegPath: '/nowhere/ffmpeg',
  clock: { now: () => systemClock.now() - aheadMs },
} as const satisfies Partial<DemoDeps>;

let hub: TestIngest;
afterEach(() => hub.close());

const open = async (demo: Partial<DemoDeps> = small) => {
  hub = await createTestIngest({ demo });
  hub.demo.start();
};
const state = async () => (await hub.send('GET', route)).body;
const until = (wanted: string) => vi.waitFor(async () => expect((await state()).state).toBe(wanted), soon);

/** All rows of the database by table, except those that change with time. */
async function everything(): Promise<Record<string, string[]>> {
  const tables = await hub.rows<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  // Facts about the machine, queues of other services, and the settings, which are compared by their values.
  const left = new Set([
    'outbox',
    'file_removal',
    'setting',
    '_prisma_migrations',
    'schema_migration',
    'visit_rule',
  ]);
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    if (left.has(name)) continue;
    const rows = await hub.rows<{ row: string }>(
      `SELECT to_jsonb(t)::text AS row FROM "${name}" t ORDER BY 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  const counters = await hub.rows<{ row: string }>(
    `SELECT name || '=' || sum(value) AS row FROM hub_counter GROUP BY name HAVING sum(value) <> 0 ORDER BY 1`,
  );
  found['hub_counter'] = counters.map(({ row }) => row);
  hub.settings.forget();
  found['setting'] = [JSON.stringify(await hub.settings.current())];
  return found;
}

/** The rows that one state of the database has and another does not, by table. */
function more(than: Record<string, string[]>, state: Record<string, string[]>): Record<string, string[]> {
  const entries = Object.entries(state).map(([table, rows]) => [
    table,
    rows.filter((row) => !than[table]?.includes(row)),
  ]);
  return Object.fromEntries(entries.filter(([, rows]) => rows?.length));
}

/** The methods of a writer that the demo calls. */
const methodsOf = (writer: RecordingWriter) => ({
  post: (...given: Parameters<RecordingWriter['post']>) => writer.post(...given),
  removeAll: (...given: Parameters<RecordingWriter['removeAll']>) => writer.removeAll(...given),
  confirm: (...given: Parameters<RecordingWriter['confirm']>) => writer.confirm(...given),
  markFavorite: (...given: Parameters<RecordingWriter['markFavorite']>) => writer.markFavorite(...given),
});

describe('demo', { timeout: 240_000 }, () => {
  it('start, on an empty hub, creates a place, weather, food, birds of 13 months and live ones', async () => {
    await open();
    expect(await state()).toMatchObject({
      state: 'none',
      has_own_birds: false,
      birds: null,
      is_ready: false,
    });
    const started = await hub.send('POST', route, { timezone: 'America/Chicago' });
    expect(started.status).toBe(202);
    expect(started.body).toMatchObject({ state: 'filling', birds: 'america' });
    await until('live');
    const shown = await state();
    expect(shown).toMatchObject({ is_ready: true, has_own_birds: false, has_own_place: false });
    expect(shown.message).toMatch(/ffmpeg/);
    expect(shown.done).toBeGreaterThan(20);
    const { general, secrets, video } = await hub.settings.current();
    expect(general.timezone).toBe('America/Chicago');
    expect(Number(secrets.latitude)).toBeCloseTo(40.7);
    expect(video.cameras.map(({ name }) => name)).toEqual(['Garden', 'Balcony']);
    const [facts] = await hub.rows<Record<string, number>>(
      `SELECT (SELECT count(*)::int FROM weather_snapshot) AS weather, (SELECT count(DISTINCT food_id)::int FROM food_period) AS foods,
         (SELECT count(DISTINCT start_time::date)::int FROM video) AS days,
         (SELECT count(*)::int FROM species_visit) AS visits, (SELECT count(*)::int FROM video) AS videos`,
    );
    expect(facts?.['foods']).toBe(4);
    expect(facts?.['weather']).toBeGreaterThan(50);
    expect(facts?.['days']).toBeGreaterThanOrEqual(4);
    expect(facts?.['visits']).toBeGreaterThan(15);
    const before = Number(facts?.['videos']);
    await vi.waitFor(async () => {
      const [now] = await hub.rows<{ videos: number }>('SELECT count(*)::int AS videos FROM video');
      expect(now?.videos).toBeGreaterThan(before);
    }, soon);
  });

  it('start, with a time zone far from the regions of the birds, keeps it, and removal restores the settings', async () => {
    await open();
    const before = await everything();
    await hub.send('POST', route, { timezone: 'Australia/Brisbane' });
    await until('live');
    hub.settings.forget();
    const { general, secrets } = await hub.settings.current();
    expect(general.timezone).toBe('Australia/Brisbane');
    expect(secrets).toMatchObject({ latitude: '52.5', longitude: '150' });
    await hub.send('DELETE', route);
    await until('none');
    const after = await everything();
    expect([more(before, after), more(after, before)]).toEqual([{}, {}]);
  });

  it('start, while the demo exists, is 409 demo_running, and removal without a demo is 404', async () => {
    await open();
    expect((await hub.send('DELETE', route)).body).toMatchObject({ code: 'demo_not_found' });
    await hub.send('POST', route, {});
    const again = await hub.send('POST', route, {});
    expect([again.status, again.body.code]).toEqual([409, 'demo_running']);
  });

  it('start, on a hub with its own birds, requires a confirmation', async () => {
    await open();
    await hub.post('/videos', aRecordingBody());
    const refused = await hub.send('POST', route, {});
    expect([refused.status, refused.body.code]).toEqual([409, 'hub_not_empty']);
    expect((await hub.send('POST', route, { beside_own_birds: true })).status).toBe(202);
    expect(await state()).toMatchObject({ has_own_birds: true });
  });

  it.each([
    [{ birds: 'asia' }, '/birds'],
    [{ latitude: 91, longitude: 0 }, '/latitude'],
    [{ latitude: 10 }, '/longitude'],
    [{ timezone: 'Mars/Crater' }, '/timezone'],
    [{ seeds: '1' }, '/seeds'],
  ])('start, with %j, is refused and names the field', async (body, field) => {
    await open();
    const { status, body: response } = await hub.send('POST', route, body);
    expect(status).toBe(400);
    expect(JSON.stringify(response)).toContain(field.slice(1));
    expect(await state()).toMatchObject({ state: 'none' });
  });

  it('removal, after real birds were posted meanwhile, leaves exactly the data of a hub without a demo', async () => {
    await open();
    await hub.post('/videos', aRecordingBody({ video_path: '2026/05/01/090000/video.mp4' }));
    const own = await everything();
    await hub.send('POST', route, { beside_own_birds: true });
    await until('live');
    await hub.send('DELETE', route);
    await until('none');
    const after = await everything();
    expect([more(own, after), more(after, own)]).toEqual([{}, {}]);
    expect(existsSync(join(hub.recordingsDir, 'demo'))).toBe(false);
  });

  it('removal, for each row of the weather, finds its recordings by an index', async () => {
    await open();
    const client = await hub.database.pool.connect();
    await client.query('BEGIN');
    await client.query('SET LOCAL enable_seqscan = off');
    const { rows } = await client.query('EXPLAIN SELECT FROM video WHERE weather_id = 1');
    await client.query('ROLLBACK');
    client.release();
    expect(rows.map((row) => row['QUERY PLAN']).join()).toContain('video_weather_id_idx');
  });

  it('removal, after a person added recordings and settings, keeps them', async () => {
    await open();
    await hub.send('POST', route, { timezone: 'Europe/Berlin' });
    await until('live');
    const mine = {
      video_path: '2026/05/01/100000/video.mp4',
      species: [aDetectionBody({ species_name: 'House Sparrow' })],
    };
    const { body } = await hub.post('/videos', aRecordingBody(mine));
    await hub.rows(
      `INSERT INTO alert_log (subject, kind, about, logged_at, video_id, title, notified)
       SELECT CASE id WHEN ${body.video_id} THEN 'mine' ELSE id::text END, 'visit', now(), now(), id, 'A bird', true FROM video`,
    );
    await hub.rows(
      `UPDATE setting SET value = jsonb_set(value, '{secrets,latitude}', '"48.1"'), version = version + 1 WHERE key = 'hub'`,
    );
    hub.settings.forget();
    expect(await state()).toMatchObject({ has_own_birds: true, has_own_place: true });
    await hub.send('DELETE', route);
    await until('none');
    const left = await hub.rows<{ path: string; weather: number | null; name: string }>(
      `SELECT video_path AS path, weather_id AS weather, species.name FROM video
       JOIN detection ON video_id = video.id JOIN species ON species.id = species_id`,
    );
    expect(left).toEqual([
      { path: `data/recordings/${mine.video_path}`, weather: null, name: 'House Sparrow' },
    ]);
    const visits = await hub.rows('SELECT id FROM species_visit');
    expect(visits).toHaveLength(1);
    hub.settings.forget();
    const { secrets, general } = await hub.settings.current();
    expect([secrets.latitude, secrets.longitude, general.timezone]).toEqual([
      '48.1',
      '13.4',
      'Europe/Berlin',
    ]);
    expect(await hub.rows('SELECT subject FROM alert_log')).toEqual([{ subject: 'mine' }]);
  });

  it('removal, interrupted in the middle, is completed by the next process', async () => {
    await open();
    const empty = await everything();
    await hub.send('POST', route, {});
    await until('live');
    await hub.demo.stop();
    await hub.send('DELETE', route);
    const { writer } = hub;
    let removed = 0;
    const broken = {
      ...methodsOf(writer),
      removeAll: async (...[videoIds, ...rest]: Parameters<typeof writer.removeAll>) => {
        if (!removed) await writer.removeAll(videoIds.slice(0, 10), ...rest);
        removed = 10;
        throw new Error('the process was killed');
      },
    };
    const { database } = hub;
    const first = await createTestIngest({ database, demo: { ...small, writer: broken } });
    first.demo.start();
    await vi.waitFor(() => expect(removed).toBe(10), soon);
    await first.close();
    expect((await state()).state).toBe('removing');
    const second = await createTestIngest({ database, demo: small });
    second.demo.start();
    await until('none');
    await second.close();
    const after = await everything();
    expect([more(empty, after), more(after, empty)]).toEqual([{}, {}]);
  });

  it('filling, interrupted in the middle, continues and posts nothing twice', async () => {
    await open();
    await hub.demo.stop();
    await hub.send('POST', route, { seed: 'again' });
    const { database } = hub;
    let posts = 0;
    const { writer } = hub;
    const broken = {
      ...methodsOf(writer),
      post: async (...given: Parameters<typeof writer.post>) => {
        posts += 1;
        if (posts > 12) throw new Error('the process was killed');
        return writer.post(...given);
      },
    };
    const first = await createTestIngest({ database, demo: { ...small, writer: broken } });
    first.demo.start();
    await vi.waitFor(() => expect(posts).toBeGreaterThan(12), soon);
    await first.close();
    const second = await createTestIngest({
      database,
      demo: { ...small, sizes: { ...small.sizes, liveEveryMs: 1e9 } },
    });
    second.demo.start();
    await until('live');
    await second.close();
    const [counts] = await hub.rows<{ videos: number; keys: number; noted: number }>(
      `SELECT count(*)::int AS videos, count(DISTINCT video_path)::int AS keys,
         (SELECT count(*)::int FROM demo_recording) AS noted FROM video`,
    );
    expect(counts?.videos).toBe(counts?.keys);
    expect(counts?.noted).toBe(counts?.videos);
  });

  it('removal, beside a camera with the id demo, keeps its files and folder', async () => {
    await open({
      ...small,
      sizes: { ...small.sizes, days: 1, pastDays: 0, perDay: [1, 1], liveEveryMs: 1e9 },
    });
    const place = async (path: string) => {
      const file = join(hub.recordingsDir, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, 'film');
      return file;
    };
    const [own, unposted] = [await place('demo/2026/video.mp4'), await place('demo/late/video.mp4')];
    await hub.post('/videos', aRecordingBody({ camera_id: 'demo', video_path: 'demo/2026/video.mp4' }));
    await mkdir(join(hub.recordingsDir, 'demo/empty'));
    await hub.send('POST', route, { beside_own_birds: true });
    await until('live');
    await hub.send('DELETE', route);
    await until('none');
    expect([own, unposted].map(existsSync)).toEqual([true, true]);
    expect(existsSync(join(hub.recordingsDir, 'demo/empty'))).toBe(false);
  });

  it('clips, if ffmpeg is installed, are in the folder of the demo and are gone after its removal', async () => {
    await open({
      ...small,
      ffmpegPath: 'ffmpeg',
      sizes: { ...small.sizes, days: 1, pastDays: 0, perDay: [2, 2], liveEveryMs: 1e9 },
    });
    await hub.send('POST', route, {});
    await vi.waitFor(async () => expect((await state()).is_ready).toBe(true), soon);
    const files = (await readdir(join(hub.recordingsDir, 'demo'), { recursive: true })).filter((name) =>
      name.endsWith('.mp4'),
    );
    expect(files.length).toBeGreaterThan(0);
    const boxes = await hub.rows('SELECT detection_id FROM detection_track');
    expect(boxes.length).toBeGreaterThan(0);
    // As after a kill between a clip and its recording.
    await mkdir(join(hub.recordingsDir, 'demo/orphan'));
    await copyFile(
      join(hub.recordingsDir, 'demo', files[0] ?? ''),
      join(hub.recordingsDir, 'demo/orphan/video.mp4'),
    );
    await hub.send('DELETE', route);
    await until('none');
    expect(existsSync(join(hub.recordingsDir, 'demo'))).toBe(false);
  });
});
