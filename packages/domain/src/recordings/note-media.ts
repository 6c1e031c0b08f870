import { replaceLostPictures } from '../species/own-pictures.store.js';
import { countFiles } from './media.store.js';
import type { WriterResources } from './writer.js';
import { inWriterTransaction, noLocks } from './writer-transaction.js';

/** What was found where the file of a recording should be. */
export type MediaNote =
  | { readonly videoId: number; readonly state: 'ready'; readonly sizeBytes: number }
  | { readonly videoId: number; readonly state: 'missing'; readonly unreadable?: UnreadableFile };

/** A file that is there and that nobody can read, as it was when that was found out. */
export interface UnreadableFile {
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** What became of notes. */
export interface NotedMedia {
  /** The recordings for which that was news; those whose files were cleared are never among them. */
  readonly changed: readonly number[];
}

interface ChangedRow {
  readonly id: number;
  /** Instants in ms since the epoch. */
  readonly start: number;
  readonly end: number;
}

const noteSql = `
  WITH note AS (
    SELECT * FROM json_to_recordset($1) AS note (id bigint, state text, size bigint, unreadable_at timestamptz)),
  old AS MATERIALIZED (
    SELECT video.id, start_time, end_time, media, file_size, state, coalesce(size, file_size) AS size,
      note.unreadable_at
    FROM video JOIN note USING (id)
    WHERE media <> 'purged' AND (media, file_size, video.unreadable_at)
      IS DISTINCT FROM (state, coalesce(size, file_size), note.unreadable_at)
    ORDER BY video.id FOR UPDATE OF video),
  changed AS (
    UPDATE video SET media = state, file_size = old.size, unreadable_at = old.unreadable_at, updated_at = now()
    FROM old WHERE video.id = old.id),
  delta AS (
    SELECT start_time, -1 AS files, -file_size AS bytes FROM old WHERE media = 'ready'
    UNION ALL SELECT start_time, 1, size FROM old WHERE state = 'ready'),
  ${countFiles('delta')}
  SELECT id, (extract(epoch FROM start_time) * 1000)::bigint AS start,
    (extract(epoch FROM end_time) * 1000)::bigint AS "end" FROM old`;

function toRow(note: MediaNote) {
  const { videoId: id, state } = note;
  if (state === 'ready') return { id, state, size: note.sizeBytes, unreadable_at: null };
  const { sizeBytes: size = null, modifiedMs } = note.unreadable ?? {};
  return { id, state, size, unreadable_at: modifiedMs === undefined ? null : new Date(modifiedMs) };
}

/** Writes down whether files are there and how large; the same again changes nothing. */
export async function noteMedia(
  resources: WriterResources,
  notes: readonly MediaNote[],
): Promise<NotedMedia> {
  const mayLosePictures = notes.some(({ state }) => state === 'missing');
  return inWriterTransaction(resources, noLocks, async ({ client, changed }) => {
    const { rows } = await client.query<ChangedRow>({
      name: 'note-media',
      text: noteSql,
      values: [JSON.stringify(notes.map(toRow))],
    });
    if (mayLosePictures && rows.length)
      for (const kind of await replaceLostPictures(client)) changed({ kind });
    for (const { start, end } of rows) changed({ kind: 'recordings', from: start, to: end });
    return { changed: rows.map((row) => row.id) };
  });
}
