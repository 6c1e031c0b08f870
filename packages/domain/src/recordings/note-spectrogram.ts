import { pathInRecordings } from '../media/recording-path.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction, noLocks } from './writer-transaction.js';

/** What became of a picture of the sound of a recording. */
export interface NotedSpectrogram {
  /** False when the recording, or its files, are gone by now. */
  readonly isKept: boolean;
}

interface Row {
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

const noteSql = `
  WITH old AS MATERIALIZED (
    SELECT id, start_time, end_time, regexp_replace(spectrogram_path, '^data/recordings/', '') AS path
    FROM video WHERE id = $1 AND media <> 'purged' FOR UPDATE),
  changed AS (
    UPDATE video SET spectrogram_path = $2, updated_at = now() FROM old WHERE video.id = old.id),
  needless AS (
    INSERT INTO file_removal (path)
    SELECT path FROM old WHERE path <> $3 UNION ALL SELECT $3 WHERE NOT EXISTS (SELECT FROM old))
  SELECT (extract(epoch FROM start_time) * 1000)::bigint AS start,
    (extract(epoch FROM end_time) * 1000)::bigint AS "end" FROM old`;

/** Writes down where the picture of the sound of a recording is; the file before it goes, or this one with its recording. */
export async function noteSpectrogram(
  resources: WriterResources,
  videoId: number,
  path: string,
): Promise<NotedSpectrogram> {
  return inWriterTransaction(resources, noLocks, async ({ client, changed }) => {
    const { rows } = await client.query<Row>(noteSql, [videoId, path, pathInRecordings(path)]);
    const [row] = rows;
    if (row) changed({ kind: 'recordings', from: row.start, to: row.end });
    return { isKept: row !== undefined };
  });
}
