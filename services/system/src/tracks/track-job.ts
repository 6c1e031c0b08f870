import type { NewTrack, RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { ItemJobKind, ItemResult } from '../jobs/job.js';
import type { MediaTools } from '../media/media-tools.js';
import { withVideoFile } from '../media/with-video-file.js';
import { assignTracks } from './assign-tracks.js';
import { tidyFrames } from './tidy-frames.js';
import { trackMotion } from './track-motion.js';
import { listTracked, type TrackedDetection } from './tracked-detections.store.js';

const limitMs = 600_000;

/** What the job works with. */
export interface TrackJobParts {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly writer: Pick<RecordingWriter, 'replaceTracks'>;
}

const generated = (tracks: readonly NewTrack[]): ItemResult => ({
  outcome: 'generated',
  frames: tracks.reduce((sum, { frames }) => sum + frames.length, 0),
});

function tidyPosted(detections: readonly TrackedDetection[]): NewTrack[] {
  return detections
    .map(({ id, posted }): NewTrack => ({ detectionId: id, source: 'processor', frames: tidyFrames(posted) }))
    .filter(({ frames }) => frames.length);
}

/** Puts the boxes that the processor sent in order, and looks for those that it did not send where something moves. */
export function createTrackJob(parts: TrackJobParts): ItemJobKind {
  const { pool, tools, writer } = parts;

  async function findByMotion(
    videoId: number,
    unplaced: readonly TrackedDetection[],
    signal: AbortSignal,
  ): Promise<NewTrack[] | ItemResult> {
    let found: NewTrack[] = [];
    const result = await withVideoFile(parts, videoId, async (_video, { handle }) => {
      const work = { input: handle, limitMs, signal };
      const moving = await tools.limit(() => trackMotion(tools.ffmpegPath, work));
      const assigned = assignTracks(unplaced, moving);
      found = [...assigned].map(([detectionId, frames]) => ({
        detectionId,
        source: 'motion',
        frames: tidyFrames(frames),
      }));
      return { outcome: 'skipped' };
    });
    return result.outcome === 'failed' ? result : found;
  }

  async function write(tracks: readonly NewTrack[]): Promise<boolean> {
    return tracks.length > 0 && (await writer.replaceTracks(tracks)) > 0;
  }

  return {
    name: 'tracks',
    async work(videoId, { force, signal }) {
      const wanted = (await listTracked(pool, videoId)).filter(({ isMade }) => force || !isMade);
      const tidied = tidyPosted(wanted);
      const placed = new Set(tidied.map(({ detectionId }) => detectionId));
      const unplaced = wanted.filter(({ id }) => !placed.has(id));
      const isTidied = await write(tidied);
      const moved = unplaced.length ? await findByMotion(videoId, unplaced, signal) : [];
      if ('outcome' in moved) return isTidied ? generated(tidied) : moved;
      const isMoved = await write(moved);
      const written = [...(isTidied ? tidied : []), ...(isMoved ? moved : [])];
      return written.length ? generated(written) : { outcome: 'skipped' };
    },
  };
}
