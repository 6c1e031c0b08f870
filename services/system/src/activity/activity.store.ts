import type { DayWindow } from '@birdhub/shared/time';
import type pg from 'pg';
import type { ActivityDay } from './activity.schema.js';

/** Two heartbeats at once may have begun a stretch each, so stretches are joined before they are measured. */
const text = `
  SELECT to_char(day, 'YYYY-MM-DD') AS date, (
    SELECT coalesce(sum(extract(epoch FROM upper(part) - lower(part))), 0) / 3600 FROM unnest((
      SELECT range_agg(tstzrange(started_at, ended_at)) FROM processor_uptime
      WHERE started_at < day_end AND ended_at > day_start
    ) * tstzmultirange(tstzrange(day_start, day_end))) part
  ) AS uptime, (
    SELECT coalesce(sum(visits), 0) FROM visit_day rollup JOIN species ON species.id = species_id
    WHERE rollup.day = asked.day AND NOT generic
  ) AS visits, (
    SELECT count(*) FROM video WHERE start_time >= day_start AND start_time < day_end
  ) AS recordings
  FROM unnest($1::date[], $2::timestamptz[], $3::timestamptz[]) asked (day, day_start, day_end) ORDER BY day`;

interface Row {
  readonly date: string;
  readonly uptime: number;
  readonly visits: number;
  readonly recordings: number;
}

const toDay = ({ date, uptime, visits, recordings }: Row): ActivityDay => ({
  date,
  totalUptime: Math.round(uptime * 100) / 100,
  visits,
  recordings,
});

/** What happened on each of some days. */
export async function readActivity(pool: pg.Pool, days: readonly DayWindow[]): Promise<ActivityDay[]> {
  const values = [
    days.map(({ day }) => day),
    days.map(({ start }) => new Date(start).toISOString()),
    days.map(({ end }) => new Date(end).toISOString()),
  ];
  const { rows } = await pool.query<Row>({ name: 'activity', text, values });
  return rows.map(toDay);
}
