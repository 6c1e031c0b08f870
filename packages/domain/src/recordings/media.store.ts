import { addToCounters } from '@birdhub/shared/db';
import type { WriterScope } from '../visits/maintain-visits.js';

/**
 * The parts of a statement that take changes of files, rows of (start_time, files, bytes), into what is kept of them:
 * by the quarter of an hour of the recording, and all bytes together.
 */
export const countFiles = (source: string) => `
  quarters AS (
    INSERT INTO media_quarter AS old (begins_at, files, bytes)
    SELECT date_bin('15 minutes', start_time, 'epoch') AS begins_at, sum(files), coalesce(sum(bytes), 0) FROM ${source}
    GROUP BY 1 HAVING sum(files) <> 0 OR sum(bytes) <> 0 ORDER BY 1
    ON CONFLICT (begins_at) DO UPDATE SET files = old.files + EXCLUDED.files, bytes = old.bytes + EXCLUDED.bytes),
  all_bytes AS (
    ${addToCounters(`(SELECT 'recordings_bytes' AS name, sum(bytes) AS value FROM ${source} HAVING sum(bytes) <> 0) AS counter`)})`;

const moveSql = `
  WITH old AS MATERIALIZED (
    SELECT start_time, file_size FROM video WHERE id = $1 AND media = 'ready' FOR UPDATE),
  delta AS (
    SELECT start_time, -1 AS files, -file_size AS bytes FROM old
    UNION ALL SELECT $2::timestamptz, 1, file_size FROM old),
  ${countFiles('delta')}
  SELECT`;

/** Counts the file of a recording where it belongs when the recording gets another start, in ms. */
export function moveFile({ client, send }: WriterScope, videoId: number, start: number): void {
  send(client.query(moveSql, [videoId, new Date(start).toISOString()]));
}
