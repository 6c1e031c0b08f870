import { dayMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import { removeRecordingFile, statMediaFile } from '../media/recording-files.js';
import { anyCameraSql, namesFile, videoPathOf } from '../media/recording-path.js';
import { createMountCheck, type MountCheck } from './known-files.js';

/** A file that was received by upload, or the part of an unfinished one. */
export interface UploadedFile {
  /** Relative to the recordings tree. */
  readonly path: string;
  readonly bytes: number;
  /** Modification time in ms since the epoch. */
  readonly modifiedMs: number;
}

/** Uploads that no recording names. */
export interface WaitingUploads {
  readonly bytes: number;
  /** Bytes of those that were uploaded within {@link freshUploadMs}, whose recordings are probably posted soon. */
  readonly freshBytes: number;
}

/**
 * Uploads that are older and not posted are removed when space is short, before files of recordings. Some detectors
 * upload by day and post at night.
 */
export const freshUploadMs = dayMs;

/** While disk space is low, uploads are accepted up to this size in total until their recordings are posted. */
export const maxWaitingBytes = 1e9;

/**
 * Returns how many of the bytes to keep free fresh uploads may take without anything being purged for them: at most half,
 * so that the disk never fills up.
 */
export const expectedBytes = ({ freshBytes }: WaitingUploads, bytesToKeepFree: number) =>
  Math.min(freshBytes, maxWaitingBytes, bytesToKeepFree / 2);

const nameOf = (table: string) =>
  `SELECT FROM any_camera JOIN ${table} USING (camera_id) WHERE ${namesFile('video_path', 'uploaded_file.path')}`;

/** Files of deleted recordings count as posted, as `file_removal` removes them. */
const isPosted = `(
  EXISTS (${nameOf('video')}) OR EXISTS (${nameOf('deleted_video')})
  OR EXISTS (SELECT FROM video WHERE ${namesFile('spectrogram_path', 'uploaded_file.path')}))`;

/** SQL: the tables `any_camera` and `waiting_upload`, the uploaded files that no recording names. */
export const waitingUploadSql = `
  ${anyCameraSql},
  waiting_upload AS (SELECT path, bytes, modified_at, uploaded_at FROM uploaded_file WHERE NOT ${isPosted})`;

/** Records that a file was received by upload. */
export async function recordUpload(pool: pg.Pool, { path, bytes, modifiedMs }: UploadedFile): Promise<void> {
  await pool.query(
    `INSERT INTO uploaded_file (path, bytes, modified_at) VALUES ($1, $2, $3) ON CONFLICT (path) DO UPDATE
     SET bytes = EXCLUDED.bytes, modified_at = EXCLUDED.modified_at, uploaded_at = now()`,
    [path, bytes, new Date(modifiedMs)],
  );
}

/** Records that the same file was uploaded again; does nothing for a file that was not uploaded. */
export async function renewUpload(pool: pg.Pool, path: string): Promise<void> {
  await pool.query('UPDATE uploaded_file SET uploaded_at = now() WHERE path = $1', [path]);
}

/** Forgets the uploads that a recording names; from then on the recording decides about its file. */
export async function forgetPostedUploads(pool: pg.Pool): Promise<void> {
  await pool.query(`WITH ${anyCameraSql} DELETE FROM uploaded_file WHERE ${isPosted}`);
}

/** Measures the uploads that no recording names. */
export async function readWaitingUploads(pool: pg.Pool, now: number): Promise<WaitingUploads> {
  const { rows } = await pool.query<WaitingUploads>(
    `WITH ${waitingUploadSql}
     SELECT coalesce(sum(bytes), 0)::bigint AS bytes,
       coalesce(sum(bytes) FILTER (WHERE uploaded_at >= $1), 0)::bigint AS "freshBytes"
     FROM waiting_upload`,
    [new Date(now - freshUploadMs)],
  );
  return rows[0] ?? { bytes: 0, freshBytes: 0 };
}

/** Dependencies of {@link removeWaitingUploads}. */
export interface UploadRemovalDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly log: Logger;
}

/** Which uploads are removed, the oldest first. */
export interface UploadRemoval {
  /** Removes those that were uploaded before this instant, in ms since the epoch. */
  readonly before: number;
  /** Stops when so many bytes are freed. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

interface WaitingUpload {
  readonly path: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  readonly uploadedAt: Date;
}

const batchSize = 100;
/** Some file systems round modification times. */
const maxTimeDifferenceMs = 2_000;

const listSql = `
  WITH ${waitingUploadSql}
  SELECT path, bytes, modified_at AS "modifiedAt", uploaded_at AS "uploadedAt" FROM waiting_upload
  WHERE uploaded_at < $1 AND (uploaded_at, path) > ($2, $3) ORDER BY uploaded_at, path LIMIT ${batchSize}`;

const isWaitingSql = `WITH ${waitingUploadSql} SELECT FROM waiting_upload WHERE path = $1 AND uploaded_at = $2`;

/**
 * Removes uploaded files that no recording names. A file that was replaced or changed since its upload is not removed:
 * another program wrote it. Those of a disk that is not mounted are kept. Returns the number of removed files and their
 * bytes.
 */
export async function removeWaitingUploads(
  deps: UploadRemovalDeps,
  removal: UploadRemoval,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const failures: RemovalFailure[] = [];
  try {
    return await removeListed(deps, removal, failures);
  } finally {
    const [first] = failures;
    const message = 'uploaded files without a recording not removed, trying again in the next run';
    if (first) deps.log.warn({ files: failures.length, ...first }, message);
  }
}

/** A file that could not be removed. */
interface RemovalFailure {
  readonly path: string;
  readonly err: unknown;
}

async function removeListed(
  deps: UploadRemovalDeps,
  { before, maxBytes = Number.POSITIVE_INFINITY, signal }: UploadRemoval,
  failures: RemovalFailure[],
) {
  const removed = { files: 0, bytes: 0 };
  const requireMounted = createMountCheck(deps.recordingsDir);
  let after: readonly unknown[] = ['-infinity', ''];
  for (;;) {
    const { rows } = await deps.pool.query<WaitingUpload>(listSql, [new Date(before), ...after]);
    for (const upload of rows) {
      if (removed.bytes >= maxBytes || signal?.aborted) return removed;
      if (!(await removeUpload({ ...deps, requireMounted }, upload, failures))) continue;
      removed.files += 1;
      removed.bytes += upload.bytes;
    }
    const last = rows.at(-1);
    if (!last) return removed;
    after = [last.uploadedAt, last.path];
  }
}

/** Returns whether the file was removed. A failure is added to `failures`. */
async function removeUpload(
  { pool, recordingsDir, requireMounted }: UploadRemovalDeps & { requireMounted: MountCheck },
  upload: WaitingUpload,
  failures: RemovalFailure[],
): Promise<boolean> {
  const { path, uploadedAt } = upload;
  try {
    // It may have been posted or uploaded again since it was listed.
    if (!(await pool.query(isWaitingSql, [path, uploadedAt])).rowCount) return false;
    const found = await statMediaFile(recordingsDir, videoPathOf(path));
    if (!found) await requireMounted(pool);
    const isRemoved =
      isUnchanged(found, upload) && (await removeRecordingFile(recordingsDir, path)) === 'removed';
    await pool.query('DELETE FROM uploaded_file WHERE path = $1 AND uploaded_at = $2', [path, uploadedAt]);
    return isRemoved;
  } catch (error) {
    failures.push({ path, err: error });
    return false;
  }
}

function isUnchanged(
  found: Awaited<ReturnType<typeof statMediaFile>>,
  { bytes, modifiedAt }: WaitingUpload,
): boolean {
  const differenceMs = Math.abs((found?.modifiedMs ?? 0) - modifiedAt.getTime());
  return found?.size === bytes && differenceMs <= maxTimeDifferenceMs;
}
