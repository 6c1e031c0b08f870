import {
  type FileState,
  type PostedRecording,
  type PostOptions,
  RecordingWriter,
} from '@birdhub/domain/recordings';
import { SettingsReader } from '@birdhub/domain/settings';
import { createSpeciesDirectory, seedCatalogue } from '@birdhub/domain/species';
import { LauncherError } from '@birdhub/launcher/launcher-error';
import { lockNames, migrate, queryRow, withAdvisoryLock } from '@birdhub/shared/db';
import { systemClock } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import { type CommandDatabase, withHubDatabase } from '../hub-database.js';
import { type ConvertedRecording, convertRecording } from './convert-recording.js';
import { ImportReport, requestId } from './import-report.js';
import { importSpecies } from './import-species.js';
import { idOf, type OldHub, type OldRecording, type OldRow, textOf, withOldHub } from './old-hub.js';
import { type Placed, placeFile, type Trees } from './place-file.js';
import { type ReservedIds, reserveIds } from './reserved-ids.store.js';

/** What is imported, and callbacks for its progress. */
export interface ImportRequest {
  /** The SQLite database of the old hub. */
  readonly file: string;
  readonly trees: Trees;
  readonly signal: AbortSignal;
  readonly onProgress: (recordings: number) => void;
}

/**
 * Imports the data of a hub of the BirdLense family; this hub may be running. Rows that were imported before are not
 * changed.
 * @throws LauncherError when the file is not a database of such a hub, or another import is running
 */
export function importHub(databaseUrl: string, request: ImportRequest): Promise<ImportReport> {
  return withOldHub(request.file, async (old) => {
    // The database may be empty before the first start of the hub.
    await migrate(databaseUrl, seedCatalogue);
    return withHubDatabase(databaseUrl, async (database) => {
      const done = await withAdvisoryLock(database.pool, lockNames.importBirdLense, () =>
        importAll(old, database, request),
      );
      if (done === undefined) throw new LauncherError('Another import is running.');
      return done.result;
    });
  });
}

const pageSize = 200;
const maxConcurrentRecordings = 4;

/** Creates a function that converts each path once, even if the old hub has two recordings with it. */
function createConverter(report: ImportReport, names: ReadonlyMap<number, string>) {
  const keys = new Set<string>();
  return (old: OldRecording) => {
    const found = convertRecording(old, names, systemClock.now());
    if ('reason' in found) {
      report.skip(found.reason, idOf(old.video, 'id'));
      return undefined;
    }
    const key = `${found.posted.cameraId}\0${found.posted.videoPath}`;
    if (!keys.has(key)) return keys.add(key) && found;
    report.skip('another recording has the same path', found.oldId);
    return undefined;
  };
}

async function importRecordings(
  old: OldHub,
  names: ReadonlyMap<number, string>,
  deps: RecordingImportDeps,
  { signal, onProgress }: ImportRequest,
): Promise<void> {
  const convert = createConverter(deps.report, names);
  const limit = pLimit(maxConcurrentRecordings);
  let count = 0;
  for (const page of old.readRecordings(pageSize)) {
    signal.throwIfAborted();
    const found = page.map(convert).filter((recording) => recording !== undefined);
    const states = await limit.map(found, (recording) => importRecording(deps, recording));
    await deps.writer.saveFileStates(states.filter((state) => state !== undefined));
    count += page.length;
    onProgress(count);
  }
  const orphans = old.countOrphans();
  if (orphans)
    deps.report.skip('a detection belongs to a recording that is not in the file', undefined, orphans);
}

async function importAll(
  old: OldHub,
  database: CommandDatabase,
  request: ImportRequest,
): Promise<ImportReport> {
  const { pool, notifier, log } = database;
  const report = new ImportReport();
  const settings = new SettingsReader({ pool, timezone: 'UTC', log });
  const directory = createSpeciesDirectory(pool, { onCreated: () => notifier.notify({ kind: 'species' }) });
  const writer = new RecordingWriter({ pool, directory, settings, notifier, clock: systemClock });
  const ids = await reserveIds(pool, old.readIds());
  const names = await importSpecies(old, { pool, directory, settings, notifier, ids, report });
  const foodIds = await importFoods(old, { pool, ids, report });
  notifier.notify({ kind: 'foods' });
  await importRecordings(old, names, { pool, writer, ids, trees: request.trees, foodIds, report }, request);
  return report;
}

const addFoodSql = `
  INSERT INTO bird_food (id, name, description, image_url)
  SELECT coalesce((SELECT $1::int WHERE NOT EXISTS (SELECT FROM bird_food WHERE id = $1)),
    nextval('bird_food_id_seq')), $2, $3, $4
  WHERE NOT EXISTS (SELECT FROM bird_food WHERE lower(name) = lower($2))
  ON CONFLICT (lower(name)) DO NOTHING`;

const maxFoodNameLength = 100;

/** Adds missing foods as not offered. Returns the new ids by the old ones. */
async function importFoods(
  old: OldHub,
  { pool, ids, report }: { readonly pool: pg.Pool; readonly ids: ReservedIds; readonly report: ImportReport },
): Promise<Map<number, number>> {
  const imported = new Map<number, number>();
  for (const row of old.readFoods()) {
    const [oldId, name] = [idOf(row, 'id'), textOf(row, 'name', maxFoodNameLength)?.normalize('NFC')];
    if (oldId === undefined || name === undefined) {
      report.skip('a food has no name', oldId);
      continue;
    }
    const { rowCount } = await pool.query(addFoodSql, [
      ids.has('bird_food', oldId) ? oldId : null,
      name,
      ...foodDetails(row),
    ]);
    if (rowCount) report.count('foods');
    const { rows } = await pool.query<{ id: number }>(
      'SELECT id FROM bird_food WHERE lower(name) = lower($1)',
      [name],
    );
    if (rows[0]) imported.set(oldId, rows[0].id);
  }
  return imported;
}

const foodDetails = (row: OldRow) => [
  textOf(row, 'description') ?? null,
  textOf(row, 'image_url', 2_000) ?? null,
];

/** Dependencies of {@link importRecording}. */
export interface RecordingImportDeps {
  readonly pool: pg.Pool;
  readonly writer: Pick<RecordingWriter, 'post' | 'saveFileStates'>;
  readonly ids: ReservedIds;
  readonly trees: Trees;
  readonly foodIds: ReadonlyMap<number, number>;
  readonly report: ImportReport;
}

async function post(
  deps: RecordingImportDeps,
  converted: ConvertedRecording,
  known: KnownRecording,
): Promise<number | undefined> {
  const { writer, ids, report, foodIds } = deps;
  const { oldId } = converted;
  const id = ids.has('video', oldId) && !known.isIdTaken ? oldId : undefined;
  const taken = new Set(known.takenDetectionIds);
  const posted = keepFreeIds(converted.posted, (given) => ids.has('detection', given) && !taken.has(given));
  const foods = converted.foods.flatMap((food) => foodIds.get(food) ?? []);
  const result = await writer.post(posted, requestId, {
    onlyNew: true,
    id,
    alsoWrite: writeDetails(converted, foods),
  });
  if (!result.created) return undefined;
  report.count('recordings');
  report.count('detections', result.detections);
  report.count('reviews', posted.detections.filter(({ reviewed }) => reviewed).length);
  if (id === undefined) report.count('recordings with another id');
  if (result.dropped)
    report.skip('a detection is below detection.min_confidence_to_store', oldId, result.dropped);
  for (const { reason } of converted.refused) report.skip(reason, oldId);
  return result.videoId;
}

/** Returns the media state of an imported file; undefined if it does not change the stored state. */
function fileStateOf(videoId: number, placed: Placed, media: string | null): FileState | undefined {
  if (media === 'ready') return undefined;
  if ('sizeBytes' in placed) return { videoId, state: 'ready', sizeBytes: placed.sizeBytes };
  return media === 'missing' || placed.state === 'other' ? undefined : { videoId, state: 'missing' };
}

/**
 * Imports a recording of the old hub; for a known one, only its missing file. Returns the new media state of the file;
 * undefined when it stays unchanged.
 */
async function importRecording(
  deps: RecordingImportDeps,
  converted: ConvertedRecording,
): Promise<FileState | undefined> {
  const { pool, trees, report } = deps;
  const { oldId, posted } = converted;
  const known = await findKnown(pool, converted);
  if (known.isDeleted) return skip('it was deleted here');
  if (known.videoId !== null) report.count('recordings known');
  if (known.media === 'purged') return undefined;
  const placed = await placeFile(trees, posted.videoPath);
  if (placed.state === 'other' && known.videoId === null) return skip('another file has the same path');
  if (placed.state === 'outside') refuse(posted.videoPath);
  if (posted.spectrogramPath !== null) {
    const { state } = await placeFile(trees, posted.spectrogramPath);
    if (state === 'outside') refuse(posted.spectrogramPath);
  }
  const videoId = known.videoId ?? (await post(deps, converted, known));
  if (placed.state === 'outside') report.count('files missing');
  else if (placed.state !== 'other') report.count(`files ${placed.state}`);
  return videoId === undefined ? undefined : fileStateOf(videoId, placed, known.media);

  function refuse(path: string): void {
    report.skip('a file outside the folder was not imported', path);
  }

  function skip(reason: string): undefined {
    report.skip(reason, oldId);
  }
}

/** The stored state of a recording that is about to be imported. */
interface KnownRecording {
  readonly isDeleted: boolean;
  /** Null when it is not stored. */
  readonly videoId: number | null;
  readonly media: string | null;
  /** Whether another recording has its id. */
  readonly isIdTaken: boolean;
  readonly takenDetectionIds: readonly number[];
}

/** Looks a recording up by its key and its ids. */
async function findKnown(pool: pg.Pool, { oldId, posted }: ConvertedRecording): Promise<KnownRecording> {
  const { cameraId, videoPath, detections } = posted;
  const ids = detections.flatMap(({ id }) => id ?? []);
  return queryRow<KnownRecording>(pool, {
    text: `SELECT EXISTS (SELECT FROM deleted_video WHERE camera_id = $1 AND video_path = $2) AS "isDeleted",
       video.id AS "videoId", media,
       EXISTS (SELECT FROM video WHERE id = $3) OR EXISTS (SELECT FROM deleted_video WHERE id = $3) AS "isIdTaken",
       ARRAY(SELECT id FROM detection WHERE id = ANY ($4::bigint[])) AS "takenDetectionIds"
     FROM (SELECT 1) one LEFT JOIN video ON camera_id = $1 AND video_path = $2`,
    values: [cameraId, videoPath, oldId ?? null, ids],
  });
}

const keepSql = `
  WITH weather AS (
    INSERT INTO weather_snapshot (source, main, description, temp, humidity, pressure, clouds, wind_speed, fetched_at)
    SELECT 'birdlense', main, description, temp, humidity, pressure, clouds, "windSpeed", $5::timestamptz
    FROM json_to_record($4) AS given (main text, description text, temp float8, humidity float8, pressure float8,
      clouds float8, "windSpeed" float8)
    WHERE $4 IS NOT NULL RETURNING id),
  food AS (INSERT INTO video_food (video_id, food_id) SELECT $1, unnest($6::int[]) ON CONFLICT DO NOTHING)
  UPDATE video SET favorite = $2, created_at = coalesce($3::timestamptz, created_at),
    weather_id = coalesce((SELECT id FROM weather), weather_id)
  WHERE id = $1`;

/** Writes the data of a recording other than its detections: favourite, weather, foods. */
function writeDetails(
  { isFavorite, createdAt, weather, posted }: ConvertedRecording,
  foodIds: readonly number[],
): NonNullable<PostOptions['alsoWrite']> {
  return ({ client, send }, videoId) => {
    const start = new Date(posted.start).toISOString();
    const weatherJson = weather ? JSON.stringify(weather) : null;
    send(client.query(keepSql, [videoId, isFavorite, createdAt, weatherJson, start, [...new Set(foodIds)]]));
  };
}

/** Keeps the ids of detections that are free in this hub. */
function keepFreeIds(posted: PostedRecording, isFree: (id: number) => boolean): PostedRecording {
  const detections = posted.detections.map((detection) => {
    const { id } = detection;
    return { ...detection, id: id !== undefined && isFree(id) ? id : undefined };
  });
  return { ...posted, detections };
}
