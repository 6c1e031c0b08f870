import { addToCounters } from '@birdhub/shared/db';
import type pg from 'pg';
import type { WriterScope } from '../visits/maintain-visits.js';
import { countFiles } from './media.store.js';

/** What a removal needs to know of a recording. */
export interface RecordingHead {
  readonly id: number;
  readonly cameraId: string;
  readonly videoPath: string;
  readonly spectrogramPath: string | null;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly isDeleted: boolean;
}

/** A recording by its id, deleted ones included; undefined when there never was one. */
export async function findById(
  client: pg.ClientBase | pg.Pool,
  videoId: number,
): Promise<RecordingHead | undefined> {
  const { rows } = await client.query<RecordingHead>(
    `SELECT id, camera_id AS "cameraId", video_path AS "videoPath", spectrogram_path AS "spectrogramPath",
       (extract(epoch FROM start_time) * 1000)::bigint AS start, (extract(epoch FROM end_time) * 1000)::bigint AS "end",
       false AS "isDeleted"
     FROM video WHERE id = $1
     UNION ALL SELECT id, camera_id, video_path, NULL, 0, 0, true FROM deleted_video WHERE id = $1`,
    [videoId],
  );
  return rows[0];
}

/** Whether a recording is a favourite; it stays what it is until the end of the transaction. */
export async function isFavorite(client: pg.ClientBase, videoId: number): Promise<boolean> {
  const { rows } = await client.query<{ favorite: boolean }>(
    'SELECT favorite FROM video WHERE id = $1 FOR UPDATE',
    [videoId],
  );
  return rows[0]?.favorite ?? false;
}

/** What the deletion of a recording writes elsewhere. */
export interface RemovalRecord {
  /** How many detections go with it. */
  readonly detections: number;
  /** Its files, inside the recordings tree. */
  readonly files: readonly string[];
  readonly activity: object;
}

const forgetCorrections = `
  WITH gone AS (DELETE FROM correction_detection WHERE video_id = $1 RETURNING correction_id)
  DELETE FROM correction WHERE id IN (SELECT correction_id FROM gone)
    AND NOT EXISTS (SELECT FROM correction_detection WHERE correction_id = correction.id AND video_id <> $1)`;

const deleteSql = `
  WITH gone AS (DELETE FROM video WHERE id = $1 RETURNING start_time, media, file_size),
  delta AS (SELECT start_time, -1 AS files, -file_size AS bytes FROM gone WHERE media = 'ready'),
  ${countFiles('delta')},
  kept AS (INSERT INTO deleted_video (id, camera_id, video_path) VALUES ($1, $2, $3)),
  files AS (
    INSERT INTO file_removal (path, derived_of) SELECT unnest($5::text[]), NULL UNION ALL SELECT NULL, $1),
  logged AS (INSERT INTO activity_log (type, data) VALUES ('recording_removed', $6::jsonb))
  ${addToCounters(`(VALUES ('videos', -1), ('detections', -$4::int), ('camera:' || $2, -1)) AS counter (name, value)
    WHERE name <> 'camera:' AND value <> 0`)}`;

/** Deletes a recording with its detections, keeps its key and counts it out. */
export function deleteRecording(
  { client, send }: WriterScope,
  { id, cameraId, videoPath }: RecordingHead,
  { detections, files, activity }: RemovalRecord,
): void {
  send(client.query(forgetCorrections, [id]));
  send(client.query(deleteSql, [id, cameraId, videoPath, detections, files, JSON.stringify(activity)]));
}
