import type { Region } from '@birdhub/demo/plan';
import type { HubLanguage } from '@birdhub/domain/language';
import { anyCameraSql, namesFile, pathInRecordings } from '@birdhub/domain/media';
import { type Database, isTaken, type PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

/** The options of a demo: equal options result in the same birds. */
export interface DemoOptions {
  readonly region: Region;
  readonly seed: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly timezone: string;
  /** Undefined for demos created before their texts were translated. */
  readonly language?: HubLanguage;
}

/** A setting that the demo changed, and its previous value; null when it was not set. */
export interface SetSetting {
  readonly group: string;
  readonly key: string;
  readonly value: unknown;
  readonly before: unknown;
}

/** What the demo added besides recordings. */
export interface DemoAdditions {
  readonly settings?: readonly SetSetting[];
  /** Ids of cameras added to the settings. */
  readonly cameras?: readonly string[];
  readonly foodIds?: readonly number[];
  readonly hasPlace?: boolean;
  /** Completed steps of the filling. */
  readonly steps?: readonly string[];
}

/** A stored demo. Instants in ms since the epoch. */
export interface StoredDemo {
  readonly state: 'filling' | 'live' | 'removing';
  readonly options: DemoOptions;
  readonly additions: DemoAdditions;
  readonly done: number;
  readonly total: number;
  readonly message: string | null;
  readonly startedAt: number;
  readonly readyAt: number | null;
}

/** Marks the demo's rows in shared tables. */
export const demoName = 'Demo birds';
/** Returns the id of a camera of the demo, distinct from those of real detectors. */
export const cameraOf = (place: string) => `demo-${place}`;
/** Marks the weather of the demo. */
const demoWeather = 'demo';
/** Folder of the demo in the recordings tree. */
export const demoFolder = 'demo';

/** Dependencies of the store. */
type DemoStoreDeps = Pick<Database, 'pool' | 'prisma' | 'transaction'>;

/** The table of the demo, and its rows in shared tables. */
export class DemoStore {
  readonly #pool: pg.Pool;
  readonly #prisma: PrismaClient;
  readonly #transaction: DemoStoreDeps['transaction'];

  constructor({ pool, prisma, transaction }: DemoStoreDeps) {
    this.#pool = pool;
    this.#prisma = prisma;
    this.#transaction = transaction;
  }

  async find(): Promise<StoredDemo | undefined> {
    const row = await this.#prisma.demo.findUnique({ where: { id: 1 } });
    if (!row) return undefined;
    const { state, options, additions, startedAt, readyAt, ...rest } = row;
    return {
      ...rest,
      state: state as StoredDemo['state'],
      options: options as unknown as DemoOptions,
      additions: additions as unknown as DemoAdditions,
      startedAt: startedAt.getTime(),
      readyAt: readyAt?.getTime() ?? null,
    };
  }

  /** @throws HubError demo_running */
  async create(options: DemoOptions, startedAt: number): Promise<void> {
    try {
      const data = { state: 'filling', options: { ...options }, startedAt: new Date(startedAt) };
      await this.#prisma.demo.create({ data });
    } catch (error) {
      throw isTaken(error) ? new HubError('demo_running', { cause: error }) : error;
    }
  }

  /** Updates the demo unless it is being removed; returns whether it did. */
  async update(change: {
    readonly state?: 'live';
    readonly additions?: DemoAdditions;
    readonly done?: number;
    readonly total?: number;
    readonly message?: string;
    readonly readyAt?: Date;
  }): Promise<boolean> {
    const { additions, ...rest } = change;
    const data = { ...rest, ...(additions && { additions: JSON.parse(JSON.stringify(additions)) }) };
    const { count } = await this.#prisma.demo.updateMany({
      where: { id: 1, state: { not: 'removing' } },
      data,
    });
    return count > 0;
  }

  /** Marks the demo for removal. @throws HubError demo_not_found */
  async startRemoval(): Promise<void> {
    const { rowCount } = await this.#pool.query(`
      UPDATE demo SET done = CASE WHEN state = 'removing' THEN done ELSE 0 END,
        total = CASE WHEN state = 'removing' THEN total ELSE (SELECT count(*) FROM demo_recording) END,
        state = 'removing' WHERE id = 1`);
    if (!rowCount) throw new HubError('demo_not_found');
  }

  async hasOwnBirds(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ has: boolean }>(`
      SELECT EXISTS (SELECT FROM video WHERE NOT EXISTS (SELECT FROM demo_recording WHERE video_id = video.id)) AS has`);
    return rows[0]?.has ?? false;
  }

  /** Lists random confident detections of the demo, at most one of each recording, to be confirmed. */
  async listForReview(count: number): Promise<{ readonly id: number; readonly videoId: number }[]> {
    const { rows } = await this.#pool.query<{ id: number; videoId: number }>(
      `SELECT id, "videoId" FROM (
         SELECT DISTINCT ON (video_id) detection.id, video_id AS "videoId" FROM detection JOIN demo_recording USING (video_id)
         JOIN video ON video.id = video_id
         WHERE source = 'video' AND confidence > 0.6 AND NOT reviewed AND video.media <> 'none' ORDER BY video_id, detection.id) one
       ORDER BY md5(id::text) LIMIT $1`,
      [count],
    );
    return rows;
  }

  /** Adds hourly weather and keeps existing rows. Instants in ms. */
  async addWeather(hours: readonly WeatherHour[]): Promise<void> {
    await this.#pool.query(
      `INSERT INTO weather_snapshot (source, main, description, temp, humidity, pressure, clouds, wind_speed, fetched_at)
       SELECT '${demoWeather}', main, description, temp, humidity, pressure, clouds, wind, at
       FROM jsonb_to_recordset($1) AS hour (main text, description text, temp float8, humidity float8, pressure float8,
         clouds float8, wind float8, at timestamptz)
       WHERE NOT EXISTS (SELECT FROM weather_snapshot old WHERE old.source = '${demoWeather}' AND old.fetched_at = at)`,
      [JSON.stringify(hours.map(({ at, ...hour }) => ({ ...hour, at: new Date(at).toISOString() })))],
    );
  }

  /** Adds foods whose names are unused. Returns everything that the demo has added so far. */
  async addFoods(foods: readonly DemoFood[], additions: DemoAdditions): Promise<DemoAdditions> {
    return this.#transaction(async ({ prisma }) => {
      const foodIds: number[] = [];
      for (const { name, description, periods } of foods) {
        const taken = await prisma.birdFood.findFirst({
          where: { name: { equals: name, mode: 'insensitive' } },
          select: { id: true },
        });
        if (taken) continue;
        const create = periods.map(({ from, to }) => ({
          startedAt: new Date(from),
          endedAt: to === undefined ? null : new Date(to),
        }));
        const data = { name, description, foodPeriods: { create } };
        foodIds.push((await prisma.birdFood.create({ data, select: { id: true } })).id);
      }
      const updated = { ...additions, foodIds };
      await prisma.demo.updateMany({
        where: { id: 1 },
        data: { additions: JSON.parse(JSON.stringify(updated)) },
      });
      return updated;
    });
  }

  /** Writes a heartbeat of the demo's detector. */
  async writeHeartbeat(now: number): Promise<void> {
    const data = JSON.stringify({ version: demoName, last_yolo_ok_at: new Date(now).toISOString() });
    await this.#pool.query(
      `WITH known AS (
         UPDATE processor_heartbeat SET data = $2, updated_at = now() WHERE token_name = $1 RETURNING id)
       INSERT INTO processor_heartbeat (data, token_name) SELECT $2, $1 WHERE NOT EXISTS (SELECT FROM known)`,
      [demoName, data],
    );
  }

  async countRecordings(): Promise<number> {
    const { rows } = await this.#pool.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM demo_recording',
    );
    return rows[0]?.count ?? 0;
  }

  /** Returns recordings of the demo, the newest first. */
  async listRecordings(count: number): Promise<number[]> {
    const { rows } = await this.#pool.query<{ id: number }>(
      'SELECT video_id AS id FROM demo_recording ORDER BY video_id DESC LIMIT $1',
      [count],
    );
    return rows.map(({ id }) => id);
  }

  /** Lists the files of recordings, relative to the recordings tree. */
  async listFiles(videoIds: readonly number[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ path: string }>(
      `SELECT DISTINCT path FROM video CROSS JOIN LATERAL (VALUES (video_path), (spectrogram_path)) AS own (path)
       WHERE id = ANY ($1::bigint[]) AND media <> 'none' AND path IS NOT NULL`,
      [videoIds],
    );
    return rows.map(({ path }) => pathInRecordings(path));
  }

  /** Returns those of some files that no recording names. */
  async listUnnamed(paths: readonly string[]): Promise<string[]> {
    const { rows } = await this.#pool.query<{ path: string }>(
      `WITH ${anyCameraSql} SELECT path FROM unnest($1::text[]) AS file (path)
       WHERE NOT EXISTS (SELECT FROM any_camera JOIN video USING (camera_id) WHERE ${namesFile('video_path', 'path')})
         AND NOT EXISTS (SELECT FROM video WHERE ${namesFile('spectrogram_path', 'path')})`,
      [paths],
    );
    return rows.map(({ path }) => path);
  }

  /** Deletes notifications of visits that consist only of demo recordings. */
  async deleteNotifications(videoIds: readonly number[]): Promise<void> {
    await this.#pool.query(
      `DELETE FROM notification WHERE visit_id IN (
         SELECT visit_id FROM detection WHERE video_id = ANY ($1::bigint[])
         EXCEPT SELECT visit_id FROM detection WHERE visit_id IN (
           SELECT visit_id FROM detection WHERE video_id = ANY ($1::bigint[]))
           AND NOT EXISTS (SELECT FROM demo_recording WHERE demo_recording.video_id = detection.video_id))`,
      [videoIds],
    );
  }

  /** Deletes the tombstones and log rows of deleted recordings, and counts them as done. */
  async deleteRecordingRows(videoIds: readonly number[]): Promise<void> {
    await this.#pool.query(
      `WITH gone AS (DELETE FROM deleted_video WHERE id = ANY ($1::bigint[])),
       logged AS (DELETE FROM activity_log WHERE data ->> 'video_id' = ANY (SELECT unnest($1::bigint[])::text)),
       counted AS (UPDATE demo SET done = done + cardinality($1::bigint[]))
       DELETE FROM demo_recording WHERE video_id = ANY ($1::bigint[])`,
      [videoIds],
    );
  }

  /** Deletes the rest: weather, foods, cameras, the heartbeat, log rows, and finally the demo itself. */
  async deleteRest(
    { foodIds = [] }: DemoAdditions,
    { startedAt, isWithoutOwnPlace }: { readonly startedAt: number; readonly isWithoutOwnPlace: boolean },
  ): Promise<void> {
    const addedWeather = `source = '${demoWeather}' OR ($1 AND fetched_at >= $2)`;
    const weatherValues = [isWithoutOwnPlace, new Date(startedAt)];
    await this.#pool.query(
      `UPDATE video SET weather_id = NULL WHERE weather_id IN (SELECT id FROM weather_snapshot WHERE ${addedWeather})`,
      weatherValues,
    );
    await this.#pool.query(
      `WITH weather AS (DELETE FROM weather_snapshot WHERE ${addedWeather}),
       food AS (DELETE FROM bird_food WHERE id = ANY ($3::int[])),
       cameras AS (DELETE FROM camera WHERE id LIKE 'demo-%' AND NOT EXISTS (SELECT FROM video WHERE camera_id = camera.id)),
       counters AS (DELETE FROM hub_counter WHERE name LIKE 'camera:demo-%'),
       alerts AS (DELETE FROM alert_log WHERE logged_at >= $2
         AND NOT EXISTS (SELECT FROM video WHERE id = video_id)
         AND NOT EXISTS (SELECT FROM deleted_video WHERE id = video_id) AND video_id IS NOT NULL),
       heartbeats AS (DELETE FROM processor_heartbeat WHERE token_name = '${demoName}')
       DELETE FROM activity_log WHERE data ->> 'token' = '${demoName}'`,
      [...weatherValues, foodIds],
    );
    await this.#prisma.demo.deleteMany({ where: { id: 1, state: 'removing' } });
  }
}

/** The weather of an hour. */
export interface WeatherHour {
  readonly at: number;
  readonly main: string;
  readonly description: string;
  readonly temp: number;
  readonly humidity: number;
  readonly pressure: number;
  readonly clouds: number;
  readonly wind: number;
}

/** A food and the periods in which it was offered; a period without an end is current. */
export interface DemoFood {
  readonly name: string;
  readonly description: string;
  readonly periods: readonly { readonly from: number; readonly to?: number }[];
}
