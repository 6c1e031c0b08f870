import { countedSql } from '@birdhub/domain/species';
import type { DayWindow } from '@birdhub/shared/time';
import type pg from 'pg';

/** Concurrent heartbeats may start overlapping ranges, so ranges are merged before they are measured. */
const activitySql = `
  SELECT to_char(day, 'YYYY-MM-DD') AS date, (
    SELECT coalesce(sum(extract(epoch FROM upper(part) - lower(part))), 0) / 3600 FROM unnest((
      SELECT range_agg(tstzrange(started_at, ended_at)) FROM processor_uptime
      WHERE started_at < day_end AND ended_at > day_start
    ) * tstzmultirange(tstzrange(day_start, day_end))) part
  ) AS uptime, (
    SELECT coalesce(sum(visits), 0) FROM visit_day rollup JOIN species ON species.id = species_id
    WHERE rollup.day = requested.day AND ${countedSql()}
  ) AS visits, (
    SELECT count(*) FROM video WHERE start_time >= day_start AND start_time < day_end
  ) AS recordings
  FROM unnest($1::date[], $2::timestamptz[], $3::timestamptz[]) requested (day, day_start, day_end) ORDER BY day`;

/** What happened on a day. */
interface DayActivity {
  readonly date: string;
  /** Hours in which a processor was active. */
  readonly uptime: number;
  readonly visits: number;
  readonly recordings: number;
}

/** Reads what happened on each of the days, sorted by date. */
export async function readActivity(pool: pg.Pool, days: readonly DayWindow[]): Promise<DayActivity[]> {
  const values = [
    days.map(({ day }) => day),
    days.map(({ start }) => new Date(start).toISOString()),
    days.map(({ end }) => new Date(end).toISOString()),
  ];
  return (await pool.query<DayActivity>({ name: 'activity', text: activitySql, values })).rows;
}
