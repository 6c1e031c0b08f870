import { type MediaFile, openMediaFile } from '@birdhub/domain/media';
import type pg from 'pg';
import type { ItemResult } from '../jobs/job.js';
import { findMediaVideo, type MediaVideo } from './media-videos.store.js';

/** What a job does with a recording and its file; that is skipped for one that is gone, and fails without the file. */
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
