import type { TimeWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import { requireFound, type Sought, seekVideo } from './found-video.js';

const startSql = seekVideo(`SELECT true AS "isFound", start_time AS start FROM video WHERE id = $1`);

/** When a recording starts, in ms. @throws HubError video_not_found, recording_deleted */
export async function getVideoStart(pool: pg.Pool, videoId: number): Promise<number> {
  const { rows } = await pool.query<Sought<{ start: Date }>>({
    name: 'video-start',
    text: startSql,
    values: [videoId],
  });
  return requireFound(rows[0]).start.getTime();
}

/** Where a recording stands among others. */
export interface Neighborhood {
  readonly index: number;
  readonly total: number;
  readonly previousId: number | null;
  readonly nextId: number | null;
}

/** `$1`, `$2` the recording, `$3`, `$4` the day, `$5`, `$6` where its neighbours may lie. */
const neighborsSql = `
  SELECT count(*) AS total, count(*) FILTER (WHERE (start_time, id) < ($1, $2)) AS index,
    (SELECT id FROM video WHERE (start_time, id) < ($1, $2) AND start_time >= $5
     ORDER BY start_time DESC, id DESC LIMIT 1) AS "previousId",
    (SELECT id FROM video WHERE (start_time, id) > ($1, $2) AND start_time < $6
     ORDER BY start_time, id LIMIT 1) AS "nextId"
  FROM video WHERE start_time >= $3 AND start_time < $4`;

/** Reads the place of a recording in its day; its neighbours may lie outside when `isCrossDay`. */
export async function readNeighborhood(
  pool: pg.Pool,
  { id, start }: { readonly id: number; readonly start: number },
  day: TimeWindow,
  isCrossDay: boolean,
): Promise<Neighborhood> {
  const bounds = [new Date(day.start), new Date(day.end)];
  const reach = isCrossDay ? ['-infinity', 'infinity'] : bounds;
  const values = [new Date(start), id, ...bounds, ...reach];
  const { rows } = await pool.query<Neighborhood>({ name: 'neighbors', text: neighborsSql, values });
  const [row] = rows;
  if (!row) throw new Error('the neighbours statement answered no row');
  return row;
}
