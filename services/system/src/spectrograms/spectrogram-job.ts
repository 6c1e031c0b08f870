import { hasMediaFile, type ToolWork } from '@birdhub/domain/media';
import type { RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { ItemJobKind, ItemResult } from '../jobs/job.js';
import { withVideoFile } from '../media/media-files.js';
import { type MediaTools, probeMedia } from '../media/media-tools.js';
import type { MediaVideo } from '../media/media-videos.store.js';
import { drawSpectrogram, planSpectrogram, storeSpectrogram } from './spectrogram.js';

/** What the job needs. */
export interface SpectrogramJobDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly writer: Pick<RecordingWriter, 'noteSpectrogram'>;
}

const limitMs = 300_000;

/** Makes the spectrograms of recordings that have audio and no spectrogram. */
export function createSpectrogramJob(deps: SpectrogramJobDeps): ItemJobKind {
  const { recordingsDir, tools, writer } = deps;

  async function hasSpectrogram({ spectrogramPath }: MediaVideo): Promise<boolean> {
    return spectrogramPath !== null && (await hasMediaFile(recordingsDir, spectrogramPath));
  }

  /** Returns whether the audio could be decoded and the spectrogram is stored. */
  async function make({ id, videoPath }: MediaVideo, seconds: number, work: ToolWork): Promise<boolean> {
    const plan = planSpectrogram(seconds);
    const bytes = await drawSpectrogram(tools.ffmpegPath, plan, work);
    if (!bytes) return false;
    const path = await storeSpectrogram(recordingsDir, videoPath, plan.pxPerSecond, bytes);
    return (await writer.noteSpectrogram(id, path)).isKept;
  }

  return {
    name: 'spectrograms',
    work: (videoId, { force, signal }) =>
      withVideoFile(deps, videoId, async (video, { handle }): Promise<ItemResult> => {
        if (!force && (await hasSpectrogram(video))) return { outcome: 'skipped' };
        const work = { input: handle, limitMs, signal };
        const facts = await tools.limit(() => probeMedia(tools.ffprobePath, work));
        if (!facts) return { outcome: 'failed', reason: 'its file cannot be read' };
        if (!facts.hasAudio) return { outcome: 'skipped' };
        const { seconds } = facts;
        const isMade = seconds !== undefined && (await tools.limit(() => make(video, seconds, work)));
        return isMade
          ? { outcome: 'generated' }
          : { outcome: 'failed', reason: 'its sound cannot be decoded' };
      }),
  };
}
