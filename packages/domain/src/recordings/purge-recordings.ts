import { outboxRow } from '@birdhub/shared/outbox';
import { replaceLostPictures } from '../species/own-pictures.store.js';
import { cover } from '../visits/interval.js';
import { countFiles } from './media.store.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction, noLocks } from './writer-transaction.js';

/** Files to be cleared; a few hundred at once. */
export interface Purge {
  /** Recordings, each with the size of its file in bytes, for those of which nobody wrote it down. */
  readonly recordings: readonly { readonly id: number; readonly sizeBytes: number }[];
  /** Whether favourites go too; only a person may say so. */
  readonly includeFavorites: boolean;
}

/** What was cleared. */
export interface PurgeResult {
  readonly purged: readonly number[];
  readonly bytes: number;
}

interface PurgedRow {
  readonly id: number;
  readonly bytes: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

/** Whether it is a favourite is asked of the locked row: it may have become one a moment ago. */
const purgeSql = `
  WITH given AS (
    SELECT * FROM json_to_recordset($1) AS given (id bigint, "sizeBytes" bigint)),
  old AS MATERIALIZED (
    SELECT video.id, start_time, end_time, media, file_size, coalesce(file_size, "sizeBytes") AS size,
      video_path, spectrogram_path
    FROM video JOIN given USING (id)
    WHERE media IN ('pending', 'ready') AND (NOT favorite OR $2) ORDER BY video.id FOR UPDATE OF video),
  changed AS (
    UPDATE video SET media = 'purged', file_size = size, updated_at = now() FROM old WHERE video.id = old.id),
  files AS (
    INSERT INTO file_removal (path, derived_of)
    SELECT regexp_replace(path, '^data/recordings/', ''), NULL
    FROM old CROSS JOIN LATERAL (VALUES (video_path), (spectrogram_path)) AS own (path) WHERE path IS NOT NULL
    UNION ALL SELECT NULL, id FROM old),
  delta AS (SELECT start_time, -1 AS files, -file_size AS bytes FROM old WHERE media = 'ready'),
  ${countFiles('delta')}
  SELECT id, size AS bytes, (extract(epoch FROM start_time) * 1000)::bigint AS start,
    (extract(epoch FROM end_time) * 1000)::bigint AS "end" FROM old`;

/**
 * Gives up files, in one transaction: from then on they are `purged`, and rows of `file_removal` see to it that they
 * go, whatever happens in between. Recordings without a file are left alone.
 */
export async function purgeRecordings(
  resources: WriterResources,
  { recordings, includeFavorites }: Purge,
  requestId: string,
): Promise<PurgeResult> {
  return inWriterTransaction(resources, noLocks, async ({ client, publish, changed }) => {
    const values = [JSON.stringify(recordings), includeFavorites];
    const { rows } = await client.query<PurgedRow>({ name: 'purge', text: purgeSql, values });
    const purged = rows.map((row) => row.id);
    if (!purged.length) return { purged, bytes: 0 };
    publish(outboxRow('hub.v1.recording.purged', 'purge', { video_ids: purged }, requestId));
    for (const kind of await replaceLostPictures(client)) changed({ kind });
    const { start, end } = cover(rows);
    changed({ kind: 'recordings', from: start, to: end });
    return { purged, bytes: rows.reduce((sum, row) => sum + row.bytes, 0) };
  });
}
