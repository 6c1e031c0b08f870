import { addToCounters } from '@birdhub/shared/db';
import { msSql } from '@birdhub/shared/time';
import { folderSql, isPictureSql, pathInRecordings, pathInRecordingsSql } from '../media/recording-path.js';
import { replaceLostPictures } from '../species/own-pictures.store.js';
import type { WriterScope } from '../visits/maintain.js';
import type { Frame } from './recording.js';
import { announceRecordings, inWriterTransaction, noLocks, type WriterDeps } from './writer-transaction.js';

/** The observed state of the file of a recording. */
export type FileState =
  | { readonly videoId: number; readonly state: 'ready'; readonly sizeBytes: number }
  | { readonly videoId: number; readonly state: 'missing'; readonly unreadable?: UnreadableFile };

/** An unreadable file, as it was when it was read. */
export interface UnreadableFile {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** The effect of {@link saveFileStates}. */
export interface SavedFileStates {
  /** The ids of the changed recordings; purged recordings never change. */
  readonly changed: readonly number[];
}

/** The effect of {@link saveSpectrogram}. */
export interface SavedSpectrogram {
  /** False when the recording or its files were deleted meanwhile. */
  readonly isSaved: boolean;
}

/** New boxes of a detection. */
export interface NewTrack {
  readonly detectionId: number;
  /** Whether the boxes were posted by the processor and cleaned, or were found by motion. */
  readonly source: 'processor' | 'motion';
  readonly frames: readonly Frame[];
}

/** From the start to the end of a recording, in ms since the epoch. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const spanColumns = `
  ${msSql('start_time')} AS start, ${msSql('end_time')} AS "end"`;

/**
 * Returns the CTEs that add file changes, rows of (start_time, files, bytes), to the counters per quarter of an hour and
 * to the total.
 */
export const fileCountsSql = (source: string) => `
  quarters AS (
    INSERT INTO media_quarter AS old (begins_at, files, bytes)
    SELECT date_bin('15 minutes', start_time, 'epoch') AS begins_at, sum(files), coalesce(sum(bytes), 0) FROM ${source}
    GROUP BY 1 HAVING sum(files) <> 0 OR sum(bytes) <> 0 ORDER BY 1
    ON CONFLICT (begins_at) DO UPDATE SET files = old.files + EXCLUDED.files, bytes = old.bytes + EXCLUDED.bytes),
  all_bytes AS (
    ${addToCounters(`(SELECT 'recordings_bytes' AS name, sum(bytes) AS value FROM ${source} HAVING sum(bytes) <> 0) AS counter`)})`;

const saveFileStatesSql = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1) AS given (id bigint, state text, size bigint, unreadable_at timestamptz)),
  old AS MATERIALIZED (
    SELECT video.id, start_time, end_time, media, file_size, state, coalesce(size, file_size) AS size,
      given.unreadable_at
    FROM video JOIN given USING (id)
    WHERE media NOT IN ('purged', 'none') AND (media, file_size, video.unreadable_at)
      IS DISTINCT FROM (state, coalesce(size, file_size), given.unreadable_at)
    ORDER BY video.id FOR UPDATE OF video),
  changed AS (
    UPDATE video SET media = state, file_size = old.size, unreadable_at = old.unreadable_at, updated_at = now()
    FROM old WHERE video.id = old.id),
  delta AS (
    SELECT start_time, -1 AS files, -file_size AS bytes FROM old WHERE media = 'ready'
    UNION ALL SELECT start_time, 1, size FROM old WHERE state = 'ready'),
  ${fileCountsSql('delta')}
  SELECT id, ${spanColumns} FROM old`;

/** Stores whether files exist and how large they are; idempotent. */
export async function saveFileStates(
  deps: WriterDeps,
  states: readonly FileState[],
): Promise<SavedFileStates> {
  const mayLosePictures = states.some(({ state }) => state === 'missing');
  return inWriterTransaction(deps, noLocks, async (scope) => {
    const { rows } = await scope.client.query<Span & { readonly id: number }>({
      name: 'save-file-states',
      text: saveFileStatesSql,
      values: [JSON.stringify(states.map(toRow))],
    });
    for (const span of rows) announceRecordings(scope, span);
    if (mayLosePictures && rows.length) await replacePictures(scope);
    return { changed: rows.map((row) => row.id) };
  });
}

function toRow(file: FileState) {
  const { videoId: id, state } = file;
  if (state === 'ready') return { id, state, size: file.sizeBytes, unreadable_at: null };
  const { sizeBytes: size = null, modifiedMs } = file.unreadable ?? {};
  return { id, state, size, unreadable_at: modifiedMs === undefined ? null : new Date(modifiedMs) };
}

/** Returns no row while the file is waiting for removal. Purges wait for the lock on the row. */
const lockPurgedSql = `
  SELECT ${spanColumns}
  FROM video WHERE id = $1 AND media = 'purged' AND NOT EXISTS (
    SELECT FROM file_removal WHERE path = ${pathInRecordingsSql('video_path')})
  FOR UPDATE OF video`;

const restoreSql = `
  WITH changed AS (
    UPDATE video SET media = 'ready', file_size = $2, unreadable_at = NULL, updated_at = now()
    WHERE id = $1 RETURNING start_time),
  delta AS (SELECT start_time, 1 AS files, $2::bigint AS bytes FROM changed),
  ${fileCountsSql('delta')}
  SELECT`;

/**
 * Marks a purged recording as `ready` when its file exists again. `findSize` returns the size in bytes, or undefined
 * when there is no file; it is called while the row is locked against purges.
 */
export async function restoreMedia(
  deps: WriterDeps,
  videoId: number,
  findSize: () => Promise<number | undefined>,
): Promise<SavedFileStates> {
  return inWriterTransaction(deps, noLocks, async (scope) => {
    const { rows } = await scope.client.query<Span>(lockPurgedSql, [videoId]);
    const [purged] = rows;
    const size = purged && (await findSize());
    if (!purged || size === undefined) return { changed: [] };
    await scope.client.query(restoreSql, [videoId, size]);
    announceRecordings(scope, purged);
    return { changed: [videoId] };
  });
}

const folderOfSql = (path: string) => folderSql(pathInRecordingsSql(path));

/** SQL: whether the spectrogram of a row of `video` is a picture beside the file of the recording. */
const hasOwnSpectrogramSql = (video: string) => `(
  ${isPictureSql(`${video}.spectrogram_path`)}
  AND ${folderOfSql(`${video}.spectrogram_path`)} = ${folderOfSql(`${video}.video_path`)})`;

/** Folders whose files the hub itself writes. */
const hubFolders = ['sources', 'sightings', 'demo'];

/**
 * SQL: the spectrogram that is removed with a row of `video`; null when it may belong to others: a client can name any
 * file. It must be a picture, and beside the file of the recording, or outside the folders of other cameras and of the
 * hub. A file that another recording names is kept in any case, see `FileRemover`.
 */
export function removableSpectrogramSql(video: string): string {
  const folder = `split_part(${pathInRecordingsSql(`${video}.spectrogram_path`)}, '/', 1)`;
  return `(CASE WHEN ${hasOwnSpectrogramSql(video)}
      OR ${isPictureSql(`${video}.spectrogram_path`)} AND ${folder} <> ALL ('{${hubFolders.join(',')}}')
        AND NOT EXISTS (SELECT FROM camera WHERE camera.id = ${folder} AND camera.id <> ${video}.camera_id)
    THEN ${video}.spectrogram_path END)`;
}

const saveSpectrogramSql = `
  WITH old AS MATERIALIZED (
    SELECT id, start_time, end_time,
      CASE WHEN ${hasOwnSpectrogramSql('video')} THEN ${pathInRecordingsSql('spectrogram_path')} END AS path
    FROM video WHERE id = $1 AND media NOT IN ('purged', 'none') FOR UPDATE),
  changed AS (
    UPDATE video SET spectrogram_path = $2, updated_at = now() FROM old WHERE video.id = old.id),
  needless AS (
    INSERT INTO file_removal (path)
    SELECT path FROM old WHERE path <> $3 UNION ALL SELECT $3 WHERE NOT EXISTS (SELECT FROM old))
  SELECT ${spanColumns} FROM old`;

/**
 * Stores the path of the spectrogram of a recording. The previous file is removed if it is beside the recording, or the
 * new one when the recording was deleted.
 */
export async function saveSpectrogram(
  deps: WriterDeps,
  videoId: number,
  path: string,
): Promise<SavedSpectrogram> {
  return inWriterTransaction(deps, noLocks, async (scope) => {
    const { rows } = await scope.client.query<Span>(saveSpectrogramSql, [
      videoId,
      path,
      pathInRecordings(path),
    ]);
    const [row] = rows;
    if (row) announceRecordings(scope, row);
    return { isSaved: row !== undefined };
  });
}

/** A detection may no longer exist, for example after its recording was posted again. */
const replaceTracksSql = `
  WITH new AS (
    SELECT detection.id, given.source, given.frames, video_id
    FROM json_to_recordset($1) AS given ("detectionId" bigint, source text, frames json)
    JOIN detection ON detection.id = "detectionId" ORDER BY detection.id FOR KEY SHARE OF detection),
  written AS (
    INSERT INTO detection_track AS old (detection_id, frames, track_source, posted_frames)
    SELECT id, frames, source, '[]' FROM new
    ON CONFLICT (detection_id) DO UPDATE SET frames = EXCLUDED.frames, track_source = EXCLUDED.track_source,
      posted_frames = coalesce(old.posted_frames, old.frames)
    RETURNING detection_id)
  SELECT (SELECT count(*) FROM written) AS written, ${msSql('min(start_time)')} AS start,
    ${msSql('max(end_time)')} AS "end"
  FROM video WHERE id IN (SELECT video_id FROM new)`;

/** Replaces the boxes of detections and keeps the posted ones; returns the number of tracks written. */
export async function replaceTracks(deps: WriterDeps, tracks: readonly NewTrack[]): Promise<number> {
  return inWriterTransaction(deps, noLocks, async (scope) => {
    const { rows } = await scope.client.query<Span & { readonly written: number }>(replaceTracksSql, [
      JSON.stringify(tracks),
    ]);
    const [row] = rows;
    if (!row?.written) return 0;
    announceRecordings(scope, row);
    return row.written;
  });
}

const moveFileCountsSql = `
  WITH old AS MATERIALIZED (
    SELECT start_time, file_size FROM video WHERE id = $1 AND media = 'ready' FOR UPDATE),
  delta AS (
    SELECT start_time, -1 AS files, -file_size AS bytes FROM old
    UNION ALL SELECT $2::timestamptz, 1, file_size FROM old),
  ${fileCountsSql('delta')}
  SELECT`;

/** Moves the file of a recording in the counters to the new start of the recording, in ms since the epoch. */
export function moveFileCounts({ client, send }: WriterScope, videoId: number, start: number): void {
  send(client.query(moveFileCountsSql, [videoId, new Date(start).toISOString()]));
}

/** Replaces pictures of species and foods that were deleted with a recording or its files. */
export async function replacePictures({ client, changed }: WriterScope): Promise<void> {
  for (const kind of await replaceLostPictures(client)) changed({ kind });
}
