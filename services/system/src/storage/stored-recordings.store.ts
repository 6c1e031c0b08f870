import type pg from 'pg';

/** What clearing files needs to know of a recording. */
export interface StoredRecording {
  readonly id: number;
  readonly videoPath: string;
  /** In ms since the epoch. */
  readonly start: number;
  readonly favorite: boolean;
  /** Whether its file is there or may have arrived. */
  readonly hasFile: boolean;
  /** Bytes of its file; null while nobody has looked at it. */
  readonly sizeBytes: number | null;
}

/** Which recordings: those that start in a half-open span of time, in ms. */
export interface RecordingSpan {
  readonly from: number;
  readonly before: number;
}

/** Few enough that what is found of them is not old when it is used. */
const page = 500;
const withFile = `media IN ('pending', 'ready')`;

const pageSql = (condition: string) => `
  SELECT id, video_path AS "videoPath", (extract(epoch FROM start_time) * 1000)::bigint AS start, favorite,
    ${withFile} AS "hasFile", CASE WHEN ${withFile} THEN file_size END AS "sizeBytes"
  FROM video WHERE (start_time, id) > ($1, $2) AND start_time < $3 ${condition}
  ORDER BY start_time, id LIMIT ${page}`;

const pages = {
  'with-file': { name: 'recordings-with-file', text: pageSql(`AND ${withFile}`) },
  all: { name: 'recordings-of-span', text: pageSql('') },
};

/** PostgreSQL takes `infinity` for what a Date cannot say. */
function toTimestamp(instant: number): string {
  if (Number.isFinite(instant)) return new Date(instant).toISOString();
  return instant > 0 ? 'infinity' : '-infinity';
}

/** Reads recordings in order of their start, a page at once; what changes meanwhile is read as it is then. */
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

/** How many recordings there are, or have a file. */
export async function countRecordings(pool: pg.Pool, which: keyof typeof pages): Promise<number> {
  const condition = which === 'all' ? '' : `WHERE ${withFile}`;
  const { rows } = await pool.query<{ count: number }>(`SELECT count(*) AS count FROM video ${condition}`);
  return rows[0]?.count ?? 0;
}
