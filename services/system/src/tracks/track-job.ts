import type { ItemJobKind, ItemResult } from '@birdhub/domain/jobs';
import type { Frame, NewTrack, RecordingWriter } from '@birdhub/domain/recordings';
import type pg from 'pg';
import type { MediaTools } from '../media/media-tools.js';
import { withVideoFile } from '../media/media-videos.js';
import { trackMotion } from './motion-tracker.js';
import { assignTracks, tidyFrames, type UnlocatedDetection } from './tracks.js';

/** Dependencies of the job. */
export interface TrackJobDeps {
  readonly pool: pg.Pool;
  readonly recordingsDir: string;
  readonly tools: MediaTools;
  readonly writer: Pick<RecordingWriter, 'replaceTracks'>;
}

/** A video detection and its boxes. */
interface TrackedDetection extends UnlocatedDetection {
  /** The boxes sent by the processor. */
  readonly posted: readonly Frame[];
  /** Whether its boxes were created by an earlier run of this job. */
  readonly isMade: boolean;
}

const limitMs = 600_000;

const detectionsSql = `
  SELECT detection.id, start_offset AS start, end_offset AS "end", coalesce(posted_frames, frames, '[]') AS posted,
    posted_frames IS NOT NULL AS "isMade"
  FROM detection LEFT JOIN detection_track ON detection_id = detection.id
  WHERE video_id = $1 AND source = 'video' ORDER BY detection.id`;

/** Creates the job that cleans the boxes sent by the processor, and derives missing ones from motion in the video. */
export function createTrackJob(deps: TrackJobDeps): ItemJobKind {
  const { pool, tools, writer } = deps;

  async function findByMotion(
    videoId: number,
    unlocated: readonly TrackedDetection[],
    signal: AbortSignal,
  ): Promise<NewTrack[] | ItemResult> {
    let found: NewTrack[] = [];
    const result = await withVideoFile(deps, videoId, async (_video, { handle }) => {
      const work = { input: handle, limitMs, signal };
      const moving = await tools.limit(() => trackMotion(tools.ffmpegPath, work));
      const assigned = assignTracks(unlocated, moving);
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
      const detections = (await listTracked(pool, videoId)).filter(({ isMade }) => force || !isMade);
      const tidied = tidyPosted(detections);
      const located = new Set(tidied.map(({ detectionId }) => detectionId));
      const unlocated = detections.filter(({ id }) => !located.has(id));
      const isTidied = await write(tidied);
      const moved = unlocated.length ? await findByMotion(videoId, unlocated, signal) : [];
      if ('outcome' in moved) return isTidied ? generated(tidied) : moved;
      const isMoved = await write(moved);
      const written = [...(isTidied ? tidied : []), ...(isMoved ? moved : [])];
      return written.length ? generated(written) : { outcome: 'skipped' };
    },
  };
}

async function listTracked(pool: pg.Pool, videoId: number): Promise<TrackedDetection[]> {
  const { rows } = await pool.query<TrackedDetection>(detectionsSql, [videoId]);
  return rows;
}

function tidyPosted(detections: readonly TrackedDetection[]): NewTrack[] {
  return detections
    .map(({ id, posted }): NewTrack => ({ detectionId: id, source: 'processor', frames: tidyFrames(posted) }))
    .filter(({ frames }) => frames.length);
}

function generated(tracks: readonly NewTrack[]): ItemResult {
  return { outcome: 'generated', frames: tracks.reduce((sum, { frames }) => sum + frames.length, 0) };
}
