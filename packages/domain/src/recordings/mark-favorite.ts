import type { ChangeNotifier } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';

interface MarkedRecording {
  readonly isStored: boolean;
  readonly isDeleted: boolean;
  readonly isChanged: boolean;
  /** From the start to the end of the recording and of its visits, whose items in lists tell of it; in ms. */
  readonly start: number;
  readonly end: number;
}

const markSql = `
  WITH marked AS (
    UPDATE video SET favorite = $2, updated_at = now() WHERE id = $1 AND favorite <> $2 RETURNING id)
  SELECT video.id IS NOT NULL AS "isStored", EXISTS (SELECT FROM deleted_video WHERE id = $1) AS "isDeleted",
    EXISTS (SELECT FROM marked) AS "isChanged",
    (extract(epoch FROM least(video.start_time, min(visit.start_time))) * 1000)::bigint AS start,
    (extract(epoch FROM greatest(video.end_time, max(visit.end_time))) * 1000)::bigint AS "end"
  FROM (SELECT 1) asked LEFT JOIN video ON video.id = $1
    LEFT JOIN detection ON detection.video_id = video.id LEFT JOIN species_visit visit ON visit.id = visit_id
  GROUP BY video.id`;

/**
 * Makes a recording a favourite, or no longer one.
 * @throws HubError video_not_found, recording_deleted
 */
export async function markFavorite(
  { pool, notifier }: { pool: pg.Pool; notifier: ChangeNotifier },
  videoId: number,
  isFavorite: boolean,
): Promise<void> {
  const { rows } = await pool.query<MarkedRecording>(markSql, [videoId, isFavorite]);
  const [found] = rows;
  if (!found?.isStored) throw new HubError(found?.isDeleted ? 'recording_deleted' : 'video_not_found');
  const { isChanged, start, end } = found;
  if (isChanged) notifier.notify({ kind: 'recordings', from: start, to: end });
}
