import { countFiles } from './media.store.js';
import type { NotedMedia } from './note-media.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction, noLocks } from './writer-transaction.js';

interface PurgedRecording {
  readonly start: number;
  readonly end: number;
}

/** Not while its file is still to be removed; whoever clears files waits for the lock of the row. */
const lockSql = `
  SELECT (extract(epoch FROM start_time) * 1000)::bigint AS start,
    (extract(epoch FROM end_time) * 1000)::bigint AS "end"
  FROM video WHERE id = $1 AND media = 'purged' AND NOT EXISTS (
    SELECT FROM file_removal WHERE path = regexp_replace(video_path, '^data/recordings/', ''))
  FOR UPDATE OF video`;

const restoreSql = `
  WITH changed AS (
    UPDATE video SET media = 'ready', file_size = $2, unreadable_at = NULL, updated_at = now()
    WHERE id = $1 RETURNING start_time),
  delta AS (SELECT start_time, 1 AS files, $2::bigint AS bytes FROM changed),
  ${countFiles('delta')}
  SELECT`;

/**
 * Takes the file of a recording as there again after it was cleared. `findSize`, in bytes, is asked when nobody can
 * clear it any more.
 */
export async function restoreMedia(
  resources: WriterResources,
  videoId: number,
  findSize: () => Promise<number | undefined>,
): Promise<NotedMedia> {
  return inWriterTransaction(resources, noLocks, async ({ client, changed }) => {
    const { rows } = await client.query<PurgedRecording>(lockSql, [videoId]);
    const [purged] = rows;
    const size = purged && (await findSize());
    if (!purged || size === undefined) return { changed: [] };
    await client.query(restoreSql, [videoId, size]);
    changed({ kind: 'recordings', from: purged.start, to: purged.end });
    return { changed: [videoId] };
  });
}
