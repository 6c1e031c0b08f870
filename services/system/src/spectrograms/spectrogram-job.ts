import { hasMediaFile } from '@birdhub/domain/media';
import type pg from 'pg';
import type { ItemJobKind, ItemResult } from '../jobs/job.js';
import type { MediaTools } from '../media/media-tools.js';
import type { MediaVideo } from '../media/media-videos.store.js';
import { probeMedia } from '../media/probe-media.js';
import { withVideoFile } from '../media/with-video-file.js';
import { makeSpectrogram, type SpectrogramParts } from './make-spectrogram.js';

const limitMs = 300_000;

/** What the job works with. */
export interface SpectrogramJobParts extends SpectrogramParts {
  readonly pool: pg.Pool;
  readonly tools: MediaTools;
}

/** Draws the sound of recordings that have any, and no picture of it. */
export function createSpectrogramJob(parts: SpectrogramJobParts): ItemJobKind {
  const { recordingsDir, tools } = parts;
  const isThere = async ({ spectrogramPath }: MediaVideo) =>
    spectrogramPath !== null && (await hasMediaFile(recordingsDir, spectrogramPath));

  return {
    name: 'spectrograms',
    work: (videoId, { force, signal }) =>
      withVideoFile(parts, videoId, async (video, { handle }): Promise<ItemResult> => {
        if (!force && (await isThere(video))) return { outcome: 'skipped' };
        const work = { input: handle, limitMs, signal };
        const facts = await tools.limit(() => probeMedia(tools.ffprobePath, work));
        if (!facts) return { outcome: 'failed', reason: 'its file cannot be read' };
        if (!facts.hasAudio) return { outcome: 'skipped' };
        const sounded = { id: videoId, videoPath: video.videoPath, facts };
        const isMade = await tools.limit(() => makeSpectrogram(parts, sounded, work));
        return isMade
          ? { outcome: 'generated' }
          : { outcome: 'failed', reason: 'its sound cannot be decoded' };
      }),
  };
}
