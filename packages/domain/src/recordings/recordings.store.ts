import { addToCounters } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';
import type { WriterScope } from '../visits/maintain.js';
import type { PostedRecording, StoredRow } from './recording.js';

/** SQL: whether a recording was added by the demo of this hub; nobody is notified of its birds. */
export const isOfDemoSql = (videoId: string): string =>
  `EXISTS (SELECT FROM demo_recording WHERE demo_recording.video_id = ${videoId})`;

/** SQL: whether a visit has a recording that was not added by the demo. */
export const isOwnVisitSql = (visitId: string): string => `EXISTS (
  SELECT FROM detection WHERE visit_id = ${visitId} AND NOT ${isOfDemoSql('detection.video_id')})`;

/** A period as parameters of a query. */
interface PeriodSql {
  /** Calendar days, inclusive. */
  readonly days: readonly [first: string, last: string];
  /** The start of the first day and the end of the last. */
  readonly bounds: readonly [start: string, end: string];
}

/** SQL: the numbers of visits of species (`species_id`, `visits`) in a period, without visits of the demo alone. */
export const ownVisitsSql = ({ days, bounds }: PeriodSql): string => `(
  SELECT species_id, sum(visits)::int AS visits FROM (
    SELECT species_id, visits FROM visit_day WHERE day BETWEEN ${days[0]}::date AND ${days[1]}::date
    UNION ALL
    SELECT species_id, -1 FROM species_visit WHERE start_time >= ${bounds[0]} AND start_time < ${bounds[1]}
      AND EXISTS (SELECT FROM demo_recording) AND NOT ${isOwnVisitSql('species_visit.id')}
  ) AS part GROUP BY species_id HAVING sum(visits) > 0)`;

/** The result of looking up a key. */
export interface KnownRecording {
  /** Id of the stored or deleted recording, or a newly assigned one. */
  readonly id: number;
  readonly isStored: boolean;
  readonly isDeleted: boolean;
  /** Digest of its content in hexadecimal. */
  readonly contentHash: string | null;
  readonly detectionCount: number;
  readonly start: number;
  readonly end: number;
  readonly visitIds: readonly number[];
}

/** The key of a recording. */
export type RecordingKey = Pick<PostedRecording, 'cameraId' | 'videoPath'>;

/** Looks up recordings by their keys; assigns a new id to each that does not exist. */
export async function findByKeys(
  client: pg.ClientBase | pg.Pool,
  keys: readonly RecordingKey[],
): Promise<KnownRecording[]> {
  const { rows } = await client.query<KnownRecording>({
    name: 'recordings-by-key',
    text: `
      SELECT coalesce(deleted.id, video.id, nextval('video_id_seq')) AS id,
        video.id IS NOT NULL AS "isStored", deleted.id IS NOT NULL AS "isDeleted",
        encode(video.content_hash, 'hex') AS "contentHash", coalesce(video.detection_count, 0) AS "detectionCount",
        ${msSql('video.start_time')} AS start,
        ${msSql('video.end_time')} AS "end",
        CASE WHEN video.id IS NULL THEN '[]'::json ELSE
          (SELECT coalesce(json_agg(DISTINCT visit_id), '[]') FROM detection WHERE video_id = video.id) END AS "visitIds"
      FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS key (camera_id, video_path, place)
      LEFT JOIN LATERAL (
        SELECT * FROM video WHERE camera_id = key.camera_id AND video_path = key.video_path OFFSET 0) AS video ON true
      LEFT JOIN LATERAL (
        SELECT * FROM deleted_video WHERE camera_id = key.camera_id AND video_path = key.video_path OFFSET 0
      ) AS deleted ON true
      ORDER BY place`,
    values: [keys.map((key) => key.cameraId), keys.map((key) => key.videoPath)],
  });
  if (rows.length !== keys.length) throw new Error('the database did not return one row for each key');
  return rows;
}

/** Like {@link findByKeys} for a single key. */
export async function findByKey(client: pg.ClientBase | pg.Pool, key: RecordingKey): Promise<KnownRecording> {
  const [known] = await findByKeys(client, [key]);
  if (!known) throw new Error('the database returned no row for a key');
  return known;
}

const storedJson = `
  detection.id, detection.visit_id AS "visitId", detection.species_id AS "speciesId", posted_name AS "speciesName",
  confidence, start_offset AS "startOffset", end_offset AS "endOffset", source, track_id AS "trackId",
  detection_provider AS provider, coalesce(frames, '[]') AS frames, detection.extra, plumage,
  original_species_id AS "originalSpeciesId", reviewed, to_json(reviewed_at) #>> '{}' AS "reviewedAt",
  posted_reviewed AS "postedReviewed",
  ${msSql('detection.start_time')} AS start,
  ${msSql('detection.end_time')} AS "end"`;

/** Lists all detections of a recording with all columns. */
export async function listStored(client: pg.ClientBase, videoId: number): Promise<StoredRow[]> {
  const { rows } = await client.query<StoredRow>(
    `SELECT ${storedJson} FROM detection LEFT JOIN detection_track ON detection_id = detection.id
     WHERE video_id = $1 ORDER BY detection.id`,
    [videoId],
  );
  return rows;
}

/** Deletes all detections of a recording. */
export function clearDetections({ client, send }: WriterScope, videoId: number): void {
  send(client.query('DELETE FROM detection WHERE video_id = $1', [videoId]));
}

/** Makes a new recording a favourite. */
export function writeFavorite({ client, send }: WriterScope, videoId: number): void {
  send(client.query('UPDATE video SET favorite = true WHERE id = $1', [videoId]));
}

const upsertVideo = `
    ON CONFLICT (id) DO UPDATE SET processor_version = EXCLUDED.processor_version, start_time = EXCLUDED.start_time,
      end_time = EXCLUDED.end_time, spectrogram_path = coalesce(EXCLUDED.spectrogram_path, old.spectrogram_path),
      trigger_source = EXCLUDED.trigger_source,
      weather_id = CASE WHEN old.start_time = EXCLUDED.start_time THEN coalesce(EXCLUDED.weather_id, old.weather_id)
        ELSE EXCLUDED.weather_id END,
      detection_count = EXCLUDED.detection_count, content_hash = EXCLUDED.content_hash, extra = EXCLUDED.extra,
      media = CASE WHEN old.media = 'none' THEN EXCLUDED.media ELSE old.media END, note = EXCLUDED.note, updated_at = now()`;

/**
 * Deletes foods that were not offered at the new start, and copies reviews inherited from another detection of the same
 * bird.
 */
const replaced = `,
  other_food AS (
    DELETE FROM video_food USING post
    WHERE video_id = post.id AND (video_id, food_id) NOT IN (SELECT video_id, food_id FROM offered)),
  inherited AS (
    INSERT INTO correction_detection AS old (correction_id, detection_id, video_id, species_id, reviewed_at)
    SELECT correction_id, row.detection_id, row.video_id, own.species_id, own.reviewed_at
    FROM row JOIN correction_detection own ON own.detection_id = inherits_from AND reverted_at IS NULL
    ON CONFLICT (correction_id, detection_id) DO UPDATE SET species_id = EXCLUDED.species_id,
      reviewed_at = EXCLUDED.reviewed_at, reverted_at = NULL)`;

const writeSql = (onConflict: string, further: string) => `
  WITH post AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1) AS post (id bigint, camera_id text, video_path text, processor_version text,
      start_time timestamptz, end_time timestamptz, spectrogram_path text, trigger_source text, detection_count int,
      content_hash text, extra jsonb, has_file boolean, note text)),
  saved AS (
    INSERT INTO video AS old (id, camera_id, video_path, processor_version, start_time, end_time, spectrogram_path,
      trigger_source, weather_id, detection_count, content_hash, extra, media, note)
    SELECT id, camera_id, video_path, processor_version, start_time, end_time, spectrogram_path, trigger_source,
      (SELECT id FROM weather_snapshot
       WHERE fetched_at BETWEEN post.start_time - interval '3 hours' AND post.start_time + interval '15 minutes'
       ORDER BY fetched_at > post.start_time, abs(extract(epoch FROM fetched_at - post.start_time)) LIMIT 1
       FOR KEY SHARE),
      detection_count, decode(content_hash, 'hex'), extra, CASE WHEN has_file THEN 'pending' ELSE 'none' END, note
    FROM post${onConflict}),
  camera AS (
    INSERT INTO camera (id) SELECT DISTINCT camera_id FROM post WHERE camera_id <> '' ORDER BY camera_id
    ON CONFLICT DO NOTHING),
  offered AS MATERIALIZED (
    SELECT DISTINCT post.id AS video_id, food_id
    FROM post JOIN food_period ON started_at <= post.start_time AND (ended_at IS NULL OR ended_at > post.start_time)),
  food AS (
    INSERT INTO video_food (video_id, food_id) SELECT video_id, food_id FROM offered ON CONFLICT DO NOTHING),
  row AS MATERIALIZED (
    SELECT coalesce(given.id, nextval('detection_id_seq')) AS detection_id, given.*
    FROM ROWS FROM (
      json_to_recordset($2) AS (id bigint, "speciesId" int, "startOffset" float8, "endOffset" float8, confidence float8,
        source text, "trackId" text, provider text, "speciesName" text, "originalSpeciesId" int, reviewed boolean,
        "reviewedAt" timestamptz, "postedReviewed" boolean, "inheritsFrom" bigint, plumage text, extra jsonb, frames json),
      unnest($3::bigint[]), unnest($4::timestamptz[]), unnest($5::bigint[])
    ) AS given (id, species_id, start_offset, end_offset, confidence, source, track_id, provider, posted_name,
      original_species_id, reviewed, reviewed_at, posted_reviewed, inherits_from, plumage, extra, frames, video_id,
      video_start, visit_id)),
  detections AS (
    INSERT INTO detection (id, video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset, confidence,
      source, track_id, detection_provider, posted_name, original_species_id, reviewed, reviewed_at,
      posted_reviewed, plumage, extra)
    SELECT detection_id, video_id, species_id, visit_id, video_start + floor(start_offset * 1000 + 0.5) * interval '1 ms',
      video_start + floor(end_offset * 1000 + 0.5) * interval '1 ms', start_offset, end_offset, confidence, source,
      track_id, provider, posted_name, original_species_id, coalesce(reviewed, false), reviewed_at,
      coalesce(posted_reviewed, reviewed, false), plumage, extra FROM row),
  tracks AS (
    INSERT INTO detection_track (detection_id, frames) SELECT detection_id, frames FROM row WHERE json_array_length(frames) > 0)${further}
  ${addToCounters('json_to_recordset($6) AS counter (name text, value bigint)')}`;

const writeNew = { name: 'write-recordings', text: writeSql('', '') };
const writeAgain = { name: 'replace-recording', text: writeSql(upsertVideo, replaced) };

/** The rows of one post, without its visits. */
export interface RecordingWrite {
  readonly id: number;
  readonly recording: PostedRecording;
  readonly contentHash: Buffer;
  /** The detections as a JSON array of rows; absent columns are null or false. */
  readonly rowsJson: string;
  /** The visit of each detection. */
  readonly visitIds: readonly number[];
  /** Whether the recording is new; an existing one is written in a statement of its own. */
  readonly isNew: boolean;
  /** The change of the number of stored detections. */
  readonly addedCount: number;
}

/** Writes recordings, their detections and boxes, food and counters in one statement. */
export function writeRecordings({ client, send }: WriterScope, writes: readonly RecordingWrite[]): void {
  const perRow = <T>(read: (write: RecordingWrite) => T) =>
    writes.flatMap((write) => Array<T>(write.visitIds.length).fill(read(write)));
  const values = [
    JSON.stringify(writes.map(toPostRow)),
    joinArrays(writes.map(({ rowsJson }) => rowsJson)),
    perRow(({ id }) => id),
    perRow(startOf),
    writes.flatMap(({ visitIds }) => visitIds),
    JSON.stringify(countersOf(writes)),
  ];
  const statement = writes.every(({ isNew }) => isNew) ? writeNew : writeAgain;
  send(client.query({ ...statement, values }));
}

const startOf = ({ recording }: RecordingWrite) => new Date(recording.start).toISOString();

/** Lone surrogates, which PostgreSQL rejects in JSON, are replaced as in text parameters. */
function toPostRow(write: RecordingWrite) {
  const { id, recording, visitIds, contentHash } = write;
  return {
    id,
    camera_id: recording.cameraId.toWellFormed(),
    video_path: recording.videoPath.toWellFormed(),
    processor_version: recording.processorVersion.toWellFormed(),
    start_time: startOf(write),
    end_time: new Date(recording.end).toISOString(),
    spectrogram_path: recording.spectrogramPath?.toWellFormed(),
    trigger_source: recording.triggerSource?.toWellFormed(),
    detection_count: visitIds.length,
    content_hash: contentHash.toString('hex'),
    extra: recording.extra,
    has_file: recording.hasFile ?? true,
    note: recording.note?.toWellFormed(),
  };
}

/** Joins JSON arrays without parsing them. */
function joinArrays(arrays: readonly string[]): string {
  if (arrays.length === 1) return arrays[0] ?? '[]';
  const items = arrays.map((array) => array.slice(1, -1)).filter((inner) => inner !== '');
  return `[${items.join(',')}]`;
}

/** Returns the changes of the maintained counters, in the order in which all writers lock the rows. */
function countersOf(writes: readonly RecordingWrite[]): { name: string; value: number }[] {
  const counters = new Map<string, number>();
  const add = (name: string, value: number) => {
    if (value !== 0) counters.set(name, (counters.get(name) ?? 0) + value);
  };
  for (const { recording, isNew, addedCount } of writes) {
    add('videos', isNew ? 1 : 0);
    add('detections', addedCount);
    if (recording.cameraId && isNew) add(`camera:${recording.cameraId}`, 1);
  }
  return [...counters].map(([name, value]) => ({ name, value })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
