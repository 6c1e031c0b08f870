import { addToCounters } from '@birdhub/shared/db';
import type pg from 'pg';
import type { WriterScope } from '../visits/maintain.js';
import type { PostedRecording, StoredRow } from './recording.js';

/** What is stored under an upsert key. */
export interface KnownRecording {
  /** Id of the recording, or a new one for it. */
  readonly id: number;
  readonly isStored: boolean;
  readonly isDeleted: boolean;
  /** Digest of its content, hexadecimal. */
  readonly contentHash: string | null;
  readonly detectionCount: number;
  readonly start: number;
  readonly end: number;
  readonly visitIds: readonly number[];
}

/** Looks a recording up by its key; takes a new id from the sequence when there is none. */
export async function findByKey(
  client: pg.ClientBase | pg.Pool,
  { cameraId, videoPath }: Pick<PostedRecording, 'cameraId' | 'videoPath'>,
): Promise<KnownRecording> {
  const { rows } = await client.query<KnownRecording>({
    name: 'recording-by-key',
    text: `
      SELECT coalesce(deleted.id, video.id, nextval('video_id_seq')) AS id,
        video.id IS NOT NULL AS "isStored", deleted.id IS NOT NULL AS "isDeleted",
        encode(video.content_hash, 'hex') AS "contentHash", coalesce(video.detection_count, 0) AS "detectionCount",
        (extract(epoch FROM video.start_time) * 1000)::bigint AS start,
        (extract(epoch FROM video.end_time) * 1000)::bigint AS "end",
        CASE WHEN video.id IS NULL THEN '[]'::json ELSE
          (SELECT coalesce(json_agg(DISTINCT visit_id), '[]') FROM detection WHERE video_id = video.id) END AS "visitIds"
      FROM (VALUES ($1, $2)) AS key (camera_id, video_path)
      LEFT JOIN video ON video.camera_id = key.camera_id AND video.video_path = key.video_path
      LEFT JOIN deleted_video deleted ON deleted.camera_id = key.camera_id AND deleted.video_path = key.video_path`,
    values: [cameraId, videoPath],
  });
  const [row] = rows;
  if (!row) throw new Error('the database returned no row for a key');
  return row;
}

const storedJson = `
  detection.id, detection.visit_id AS "visitId", detection.species_id AS "speciesId", posted_name AS "speciesName",
  confidence, start_offset AS "startOffset", end_offset AS "endOffset", source, track_id AS "trackId",
  detection_provider AS provider, coalesce(frames, '[]') AS frames, detection.extra,
  original_species_id AS "originalSpeciesId", reviewed, to_json(reviewed_at) #>> '{}' AS "reviewedAt",
  (extract(epoch FROM detection.start_time) * 1000)::bigint AS start,
  (extract(epoch FROM detection.end_time) * 1000)::bigint AS "end"`;

/** Lists all detections of a recording, whole. */
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

/** A detection inherits from another one of its bird that the review can be reverted for both. */
const inherited = `,
  inherited AS (
    INSERT INTO correction_detection AS old (correction_id, detection_id, video_id, species_id, reviewed_at)
    SELECT correction_id, row.detection_id, $1, own.species_id, own.reviewed_at
    FROM row JOIN correction_detection own ON own.detection_id = inherits_from AND reverted_at IS NULL
    ON CONFLICT (correction_id, detection_id) DO UPDATE SET species_id = EXCLUDED.species_id,
      reviewed_at = EXCLUDED.reviewed_at, reverted_at = NULL)`;

const writeSql = (further = '') => `
  WITH saved AS (
    INSERT INTO video AS old (id, camera_id, video_path, processor_version, start_time, end_time, spectrogram_path,
      trigger_source, weather_id, detection_count, content_hash, extra)
    VALUES ($1, $2, $3, $4, $5::timestamptz, $6::timestamptz, $7, $8,
      (SELECT id FROM weather_snapshot
       WHERE fetched_at BETWEEN $5::timestamptz - interval '3 hours' AND $5::timestamptz + interval '15 minutes'
       ORDER BY fetched_at > $5::timestamptz, abs(extract(epoch FROM fetched_at - $5::timestamptz)) LIMIT 1),
      $9, $10, $11::jsonb)
    ON CONFLICT (id) DO UPDATE SET processor_version = EXCLUDED.processor_version, start_time = EXCLUDED.start_time,
      end_time = EXCLUDED.end_time, spectrogram_path = coalesce(EXCLUDED.spectrogram_path, old.spectrogram_path),
      trigger_source = EXCLUDED.trigger_source,
      weather_id = CASE WHEN old.start_time = EXCLUDED.start_time THEN coalesce(EXCLUDED.weather_id, old.weather_id)
        ELSE EXCLUDED.weather_id END,
      detection_count = EXCLUDED.detection_count, content_hash = EXCLUDED.content_hash, extra = EXCLUDED.extra,
      updated_at = now()),
  camera AS (INSERT INTO camera (id) SELECT $2 WHERE $2 <> '' ON CONFLICT DO NOTHING),
  offered AS MATERIALIZED (
    SELECT DISTINCT food_id FROM food_period
    WHERE started_at <= $5::timestamptz AND (ended_at IS NULL OR ended_at > $5::timestamptz)),
  other_food AS (
    DELETE FROM video_food WHERE video_id = $1 AND food_id NOT IN (SELECT food_id FROM offered)),
  food AS (
    INSERT INTO video_food (video_id, food_id) SELECT $1, food_id FROM offered ON CONFLICT DO NOTHING),
  row AS MATERIALIZED (
    SELECT coalesce(given.id, nextval('detection_id_seq')) AS detection_id, given.*
    FROM ROWS FROM (
      json_to_recordset($12) AS (id bigint, "speciesId" int, "startOffset" float8, "endOffset" float8, confidence float8,
        source text, "trackId" text, provider text, "speciesName" text, "originalSpeciesId" int, reviewed boolean,
        "reviewedAt" timestamptz, "inheritsFrom" bigint, extra jsonb, frames json),
      unnest($13::bigint[])
    ) AS given (id, species_id, start_offset, end_offset, confidence, source, track_id, provider, posted_name,
      original_species_id, reviewed, reviewed_at, inherits_from, extra, frames, visit_id)),
  detections AS (
    INSERT INTO detection (id, video_id, species_id, visit_id, start_time, end_time, start_offset, end_offset, confidence,
      source, track_id, detection_provider, posted_name, original_species_id, reviewed, reviewed_at, extra)
    SELECT detection_id, $1, species_id, visit_id, $5::timestamptz + floor(start_offset * 1000 + 0.5) * interval '1 ms',
      $5::timestamptz + floor(end_offset * 1000 + 0.5) * interval '1 ms', start_offset, end_offset, confidence, source,
      track_id, provider, posted_name, original_species_id, coalesce(reviewed, false), reviewed_at, extra FROM row),
  tracks AS (
    INSERT INTO detection_track (detection_id, frames) SELECT detection_id, frames FROM row WHERE json_array_length(frames) > 0)${further}
  ${addToCounters('json_to_recordset($14) AS counter (name text, value bigint)')}`;

const writePlain = { name: 'write-recording', text: writeSql() };
const writeInherited = { name: 'write-inherited', text: writeSql(inherited) };

/** A change of a maintained counter. */
interface CounterDelta {
  readonly name: string;
  readonly value: number;
}

/** What one post writes, besides visits. */
export interface RecordingWrite {
  readonly id: number;
  readonly recording: PostedRecording;
  readonly contentHash: Buffer;
  /** The detections as a JSON array of detection rows; what is left out is null, or not reviewed. */
  readonly rowsJson: string;
  /** Whether some of them inherit a review. */
  readonly isInherited: boolean;
  /** The visit of each detection. */
  readonly visitIds: readonly number[];
  readonly counters: readonly CounterDelta[];
}

/** Writes a recording, its detections and boxes, food and counters in one statement. */
export function writeRecording({ client, send }: WriterScope, write: RecordingWrite): void {
  const { id, recording, contentHash, rowsJson, isInherited, visitIds, counters } = write;
  const values = [
    id,
    recording.cameraId,
    recording.videoPath,
    recording.processorVersion,
    new Date(recording.start).toISOString(),
    new Date(recording.end).toISOString(),
    recording.spectrogramPath,
    recording.triggerSource,
    visitIds.length,
    contentHash,
    recording.extra && JSON.stringify(recording.extra),
    rowsJson,
    visitIds,
    JSON.stringify(counters.filter((counter) => counter.value !== 0)),
  ];
  const statement = isInherited ? writeInherited : writePlain;
  send(client.query({ ...statement, values }));
}
