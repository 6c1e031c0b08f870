import { statMediaFile } from '@birdhub/domain/media';
import { msSql } from '@birdhub/shared/time';
import type pg from 'pg';

/** The properties of a recording for purges. */
export interface StoredRecording {
  readonly id: number;
  readonly videoPath: string;
  /** In ms since the epoch. */
  readonly start: number;
  readonly favorite: boolean;
  /** Whether its file exists or may have arrived. */
  readonly hasFile: boolean;
  /** Size of its file in bytes; null when unknown. */
  readonly sizeBytes: number | null;
}

/** A recording with a known file size. */
export interface MeasuredRecording extends StoredRecording {
  readonly sizeBytes: number;
}

/** A half-open span of start times, in ms. */
export interface RecordingSpan {
  readonly from: number;
  readonly before: number;
}

/** Few enough that a page is still current when it is used. */
const pageSize = 500;
/** The span of all recordings. */
export const allTime: RecordingSpan = { from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY };
const withFile = `media IN ('pending', 'ready')`;

const pageSql = (condition: string) => `
  SELECT id, video_path AS "videoPath", ${msSql('start_time')} AS start, favorite,
    ${withFile} AS "hasFile", CASE WHEN ${withFile} THEN file_size END AS "sizeBytes"
  FROM video WHERE (start_time, id) > ($1, $2) AND start_time < $3 ${condition}
  ORDER BY start_time, id LIMIT ${pageSize}`;

const pages = {
  'with-file': { name: 'recordings-with-file', text: pageSql(`AND ${withFile}`) },
  all: { name: 'recordings-of-span', text: pageSql('') },
};

/** Yields pages of recordings by their start; concurrent changes are visible. */
export async function* readRecordings(
  pool: pg.Pool,
  which: keyof typeof pages,
  { from, before }: RecordingSpan,
): AsyncGenerator<StoredRecording[]> {
  const to = toTimestamp(before);
  for (let after: [start: number, id: number] = [from, 0]; ; ) {
    const values = [toTimestamp(after[0]), after[1], to];
    const { rows } = await pool.query<StoredRecording>({ ...pages[which], values });
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = [last.start, last.id];
  }
}

/** Counts all recordings, or those with a file. */
export async function countRecordings(pool: pg.Pool, which: keyof typeof pages): Promise<number> {
  const condition = which === 'all' ? '' : `WHERE ${withFile}`;
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM video ${condition}`);
  return rows[0]?.count ?? 0;
}

/** Reads unknown sizes from the disk; a missing file counts as 0. */
export function measureFiles(
  recordingsDir: string,
  recordings: readonly StoredRecording[],
): Promise<MeasuredRecording[]> {
  return Promise.all(
    recordings.map(async (recording) => {
      const { hasFile, sizeBytes, videoPath } = recording;
      const size = hasFile ? (sizeBytes ?? (await statMediaFile(recordingsDir, videoPath))?.size) : undefined;
      return { ...recording, hasFile: size !== undefined, sizeBytes: size ?? 0 };
    }),
  );
}

/** Infinite instants become `infinity`, which a Date cannot express. */
function toTimestamp(instant: number): string {
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  return instant > 0 ? 'infinity' : '-infinity';
}
