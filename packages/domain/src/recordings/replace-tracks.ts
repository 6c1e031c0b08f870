import type { Frame } from './recording-types.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction, noLocks } from './writer-transaction.js';

/** The boxes of a detection, made anew. */
export interface NewTrack {
  readonly detectionId: number;
  /** Whether they are what the processor sent, put in order, or were found where something moves. */
  readonly source: 'processor' | 'motion';
  readonly frames: readonly Frame[];
}

interface Row {
  readonly written: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** A detection may be gone by now, as when the processor has posted its recording again. */
const replaceSql = `
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
  SELECT (SELECT count(*) FROM written) AS written, (extract(epoch FROM min(start_time)) * 1000)::bigint AS start,
    (extract(epoch FROM max(end_time)) * 1000)::bigint AS "end"
  FROM video WHERE id IN (SELECT video_id FROM new)`;

/** Puts other boxes in place of those of detections, whose posted ones are kept; answers how many tracks were written. */
export async function replaceTracks(
  resources: WriterResources,
  tracks: readonly NewTrack[],
): Promise<number> {
  return inWriterTransaction(resources, noLocks, async ({ client, changed }) => {
    const { rows } = await client.query<Row>(replaceSql, [JSON.stringify(tracks)]);
    const [row] = rows;
    if (!row?.written) return 0;
    changed({ kind: 'recordings', from: row.start, to: row.end });
    return row.written;
  });
}
