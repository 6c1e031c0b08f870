import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type MediaFile, openMediaFile, posterFile } from '@birdhub/domain/media';
import type pg from 'pg';
import type { ItemResult } from '../jobs/job.js';
import { findMediaVideo, type MediaVideo } from './media-videos.store.js';

/** Runs a job's work on a recording with its file open. Skips deleted recordings, and fails without the file. */
export async function withVideoFile(
  { pool, recordingsDir }: { readonly pool: pg.Pool; readonly recordingsDir: string },
  videoId: number,
  use: (video: MediaVideo, file: MediaFile) => Promise<ItemResult>,
): Promise<ItemResult> {
  const video = await findMediaVideo(pool, videoId);
  if (!video || video.media === 'purged') return { outcome: 'skipped' };
  const file = await openMediaFile(recordingsDir, video.videoPath);
  if (!file) return { outcome: 'failed', reason: 'its file is not there' };
  try {
    return await use(video, file);
  } finally {
    await file.handle.close();
  }
}

/** Returns whether a recording has a poster. */
export async function hasPoster(dataDir: string, videoId: number): Promise<boolean> {
  return access(posterFile(dataDir, videoId)).then(
    () => true,
    () => false,
  );
}

/** Stores the poster of a recording, in place of an earlier one. */
export async function storePoster(dataDir: string, videoId: number, bytes: Buffer): Promise<void> {
  const path = posterFile(dataDir, videoId);
  await mkdir(dirname(path), { recursive: true });
  await writeAtomically(path, bytes);
}

/** Writes a file completely or not at all. */
export async function writeAtomically(path: string, bytes: Buffer): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
  try {
    await writeFile(draft, bytes);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
