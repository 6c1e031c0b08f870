import { invalidField } from '@birdhub/shared/errors';
import {
  type DayWindow,
  dayWindowAt,
  dayWindowAtOffset,
  isTimeZone,
  offsetMs,
  type TimeWindow,
} from '@birdhub/shared/time';
import type pg from 'pg';
import type { NeighborsQuery } from './neighbors.schema.js';
import { requireFound, type Sought, seekVideo } from './video.store.js';

/** The day of a recording on the clock that a caller reads. */
export interface NeighborsDay extends DayWindow {
  /** As `Date.getTimezoneOffset` has it. */
  readonly offsetMinutes: number;
}

/** A clock by its zone, or by one offset all year. */
export type WallClock = { readonly zone: string } | { readonly offsetMinutes: number };

/** @throws HubError invalid_request for a zone that does not exist */
export function readWallClock(query: NeighborsQuery, hubZone: string): WallClock {
  const { day_scope, tz, tz_offset_minutes } = query;
  if (tz !== undefined && !isTimeZone(tz)) throw invalidField('tz', 'must be an IANA time zone');
  if (day_scope === 'utc') return { zone: 'UTC' };
  if (tz !== undefined) return { zone: tz };
  return tz_offset_minutes === undefined ? { zone: hubZone } : { offsetMinutes: tz_offset_minutes };
}

/** The day that holds an instant. */
export function dayOn(clock: WallClock, instant: number): NeighborsDay {
  if ('offsetMinutes' in clock)
    return { ...dayWindowAtOffset(instant, clock.offsetMinutes), offsetMinutes: clock.offsetMinutes };
  // Zero and not minus zero for UTC, which JSON could not tell but tests do.
  const offsetMinutes = 0 - Math.round(offsetMs(clock.zone, instant) / 60_000);
  return { ...dayWindowAt(clock.zone, instant), offsetMinutes };
}

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
