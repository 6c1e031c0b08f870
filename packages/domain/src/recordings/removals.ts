import { addToCounters } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { outboxRow } from '@birdhub/shared/outbox';
import { msSql } from '@birdhub/shared/time';
import pLimit from 'p-limit';
import type pg from 'pg';
import {
  type MediaKind,
  mediaKindSql,
  pathInRecordings,
  pathInRecordingsSql,
} from '../media/recording-path.js';
import { maintainVisits, type WriterScope } from '../visits/maintain.js';
import { cover } from '../visits/rule.js';
import { fileCountsSql, removableSpectrogramSql, replacePictures } from './media.js';
import { type Author, recordingKey, recordingLock, toStored } from './recording.js';
import { listStored } from './recordings.store.js';
import { announceRecordings, inWriterTransaction, noLocks, type WriterDeps } from './writer-transaction.js';

const maxConcurrentRemovals = 4;

/** Options of a removal. */
export interface RemovalOptions {
  /** Whether favourites are kept. */
  readonly keepFavorite?: boolean;
}

/** The effect of a removal. */
export interface RemovalResult {
  /** False for a favourite that was kept. */
  readonly removed: boolean;
}

/** Recordings whose files are to be purged, a few hundred at most. */
export interface Purge {
  /** `sizeBytes` is used when no size is stored. */
  readonly recordings: readonly { readonly id: number; readonly sizeBytes: number }[];
  /** Whether favourites are purged too; only at a person's request. */
  readonly includeFavorites: boolean;
}

/** The effect of a purge. */
export interface PurgeResult {
  readonly purged: readonly number[];
  readonly bytes: number;
}

/**
 * Deletes a recording with its detections and keeps its key, so that a repeated post does not restore it. Its files are
 * added to `file_removal`.
 * @throws HubError video_not_found, recording_deleted
 */
export async function removeRecording(
  deps: WriterDeps,
  videoId: number,
  author: Author,
  options: RemovalOptions = {},
): Promise<RemovalResult> {
  const { cameraId, videoPath } = await getRecording(deps.pool, videoId);
  const request = { videos: [recordingLock(cameraId, videoPath)], species: [] };
  return inWriterTransaction(deps, request, (scope) => removeIn(scope, { videoId, author, ...options }));
}

/** Deletes recordings, a few at a time; those that are deleted already are skipped. */
export async function removeRecordings(
  deps: WriterDeps,
  videoIds: readonly number[],
  author: Author,
  signal: AbortSignal,
): Promise<void> {
  const limit = pLimit(maxConcurrentRemovals);
  await Promise.all(
    videoIds.map((videoId) =>
      limit(async () => {
        if (!signal.aborted) await removeRecording(deps, videoId, author).catch(ignoreRemoved);
      }),
    ),
  );
  signal.throwIfAborted();
}

function ignoreRemoved(error: unknown): void {
  if (!(error instanceof HubError) || error.status >= 500) throw error;
}

/**
 * Marks recordings as `purged` and adds their files to `file_removal`, in one transaction. Recordings without a file
 * are skipped.
 */
export async function purgeRecordings(
  deps: WriterDeps,
  { recordings, includeFavorites }: Purge,
  requestId: string,
): Promise<PurgeResult> {
  return inWriterTransaction(deps, noLocks, async (scope) => {
    const values = [JSON.stringify(recordings), includeFavorites];
    const { rows } = await scope.client.query<PurgedRow>({ name: 'purge', text: purgeSql, values });
    const purged = rows.map((row) => row.id);
    if (!purged.length) return { purged, bytes: 0 };
    scope.publish(outboxRow('hub.v1.recording.purged', 'purge', { video_ids: purged }, requestId));
    announceRecordings(scope, cover(rows));
    await replacePictures(scope);
    return { purged, bytes: rows.reduce((sum, row) => sum + row.bytes, 0) };
  });
}

interface Removal extends RemovalOptions {
  readonly videoId: number;
  readonly author: Author;
}

async function removeIn(
  scope: WriterScope,
  { videoId, author, keepFavorite }: Removal,
): Promise<RemovalResult> {
  const { client } = scope;
  const { role, token, requestId } = author;
  if (keepFavorite && (await isFavorite(client, videoId))) return { removed: false };
  const recording = await getRecording(client, videoId);
  const stored = await listStored(client, videoId);
  const removed = toStored(recording.cameraId, stored);
  const maintained = await maintainVisits(scope, { removed, added: [] });
  const head = {
    video_id: videoId,
    camera_id: recording.cameraId || null,
    start_time: new Date(recording.start).toISOString(),
  };
  const visitIds = [...new Set(removed.map((detection) => detection.visitId))];
  const payload = { ...head, media_kind: recording.mediaKind, visit_ids: visitIds };
  deleteRecording(scope, recording, {
    detections: stored.length,
    files: toPaths(recording),
    activity: { by: role, token, ...head, video_path: recording.videoPath, detections: stored.length },
  });
  scope.publish(outboxRow('hub.v1.recording.removed', recordingKey(videoId), payload, requestId));
  announceRecordings(scope, cover([recording, ...maintained.touched]));
  await replacePictures(scope);
  return { removed: true };
}

async function getRecording(client: pg.ClientBase | pg.Pool, videoId: number): Promise<RecordingHead> {
  const found = await findById(client, videoId);
  if (!found) throw new HubError('video_not_found');
  if (found.isDeleted) throw new HubError('recording_deleted');
  return found;
}

function toPaths({ videoPath, spectrogramPath }: RecordingHead): string[] {
  const paths = spectrogramPath === null ? [videoPath] : [videoPath, spectrogramPath];
  return [...new Set(paths.map(pathInRecordings))];
}

/** The properties of a recording that a removal needs. */
interface RecordingHead {
  readonly id: number;
  readonly cameraId: string;
  readonly videoPath: string;
  readonly mediaKind: MediaKind | null;
  /** Null when there is none, or when it may belong to others. */
  readonly spectrogramPath: string | null;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
  readonly isDeleted: boolean;
}

/** Finds a recording by its id, deleted ones included. */
async function findById(
  client: pg.ClientBase | pg.Pool,
  videoId: number,
): Promise<RecordingHead | undefined> {
  const { rows } = await client.query<RecordingHead>(
    `SELECT id, camera_id AS "cameraId", video_path AS "videoPath", ${mediaKindSql('video')} AS "mediaKind",
       ${removableSpectrogramSql('video')} AS "spectrogramPath",
       ${msSql('start_time')} AS start, ${msSql('end_time')} AS "end",
       false AS "isDeleted"
     FROM video WHERE id = $1
     UNION ALL SELECT id, camera_id, video_path, NULL, NULL, 0, 0, true FROM deleted_video WHERE id = $1`,
    [videoId],
  );
  return rows[0];
}

/** Returns whether a recording is a favourite, and locks its row. */
async function isFavorite(client: pg.ClientBase, videoId: number): Promise<boolean> {
  const { rows } = await client.query<{ favorite: boolean }>(
    'SELECT favorite FROM video WHERE id = $1 FOR UPDATE',
    [videoId],
  );
  return rows[0]?.favorite ?? false;
}

/** The data that the deletion of a recording adds to other tables. */
interface RemovalRecord {
  /** Number of its detections, for the counters. */
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
  ${fileCountsSql('delta')},
  kept AS (INSERT INTO deleted_video (id, camera_id, video_path) VALUES ($1, $2, $3)),
  files AS (
    INSERT INTO file_removal (path, derived_of) SELECT unnest($5::text[]), NULL UNION ALL SELECT NULL, $1),
  logged AS (INSERT INTO activity_log (type, data) VALUES ('recording_removed', $6::jsonb))
  ${addToCounters(`(VALUES ('videos', -1), ('detections', -$4::int), ('camera:' || $2, -1)) AS counter (name, value)
    WHERE name <> 'camera:' AND value <> 0`)}`;

/** Deletes the rows of a recording, keeps its key, updates the counters and logs the deletion. */
function deleteRecording(
  { client, send }: WriterScope,
  { id, cameraId, videoPath }: RecordingHead,
  { detections, files, activity }: RemovalRecord,
): void {
  send(client.query(forgetCorrections, [id]));
  send(client.query(deleteSql, [id, cameraId, videoPath, detections, files, JSON.stringify(activity)]));
}

interface PurgedRow {
  readonly id: number;
  readonly bytes: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** `favorite` is read from the locked row, because it may have been changed meanwhile. */
const purgeSql = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1) AS given (id bigint, "sizeBytes" bigint)),
  old AS MATERIALIZED (
    SELECT video.id, start_time, end_time, media, file_size, coalesce(file_size, "sizeBytes") AS size,
      video_path, ${removableSpectrogramSql('video')} AS spectrogram_path
    FROM video JOIN given USING (id)
    WHERE media IN ('pending', 'ready') AND (NOT favorite OR $2) ORDER BY video.id FOR UPDATE OF video),
  changed AS (
    UPDATE video SET media = 'purged', file_size = size, updated_at = now() FROM old WHERE video.id = old.id),
  files AS (
    INSERT INTO file_removal (path, derived_of)
    SELECT ${pathInRecordingsSql('path')}, NULL
    FROM old CROSS JOIN LATERAL (VALUES (video_path), (spectrogram_path)) AS own (path) WHERE path IS NOT NULL
    UNION ALL SELECT NULL, id FROM old),
  delta AS (SELECT start_time, -1 AS files, -file_size AS bytes FROM old WHERE media = 'ready'),
  ${fileCountsSql('delta')}
  SELECT id, size AS bytes, ${msSql('start_time')} AS start,
    ${msSql('end_time')} AS "end" FROM old`;
