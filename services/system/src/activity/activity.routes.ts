import type { SettingsReader } from '@birdhub/domain/settings';
import { countedSql } from '@birdhub/domain/species';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, type DayWindow, dayWindow, isDay, isMonth, localMonth } from '@birdhub/shared/time';
import type pg from 'pg';
import { type Static, Type } from 'typebox';

const DaySchema = Type.Object(
  {
    date: Type.String({ format: 'date', description: 'Calendar day in the time zone of the hub' }),
    totalUptime: Type.Number({ description: 'Hours in which a processor was active' }),
    visits: Type.Integer({
      description: 'Number of visits of birds, without generic species and other animals',
    }),
    recordings: Type.Integer({ description: 'Number of recordings that started on this day' }),
  },
  { $id: 'ActivityDay' },
);

/** The response of `GET /system/activity`: every day of the month, in order. */
const ActivitySchema = Type.Array(DaySchema);

/** The shape of one day of {@link ActivitySchema}. */
type ActivityDay = Static<typeof DaySchema>;

const schema = {
  operationId: 'getActivity',
  summary: 'Get the activity of each day of a month',
  tags: ['system'],
  security: access.open,
  querystring: Type.Object({
    month: Type.Optional(
      Type.String({
        description: 'Month, `YYYY-MM`; defaults to the current month in the time zone of the hub',
      }),
    ),
  }),
  response: { 200: ActivitySchema },
};

/** PostgreSQL only accepts ISO instants from year 1 on. */
const firstMonth = '0002';

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

interface Row {
  readonly date: string;
  readonly uptime: number;
  readonly visits: number;
  readonly recordings: number;
}

/** `GET /system/activity` */
export function activityRoutes(
  app: HubApp,
  { pool, settings, clock }: { pool: pg.Pool; settings: Pick<SettingsReader, 'current'>; clock: Clock },
): void {
  app.get('/api/ui/system/activity', { schema }, async ({ query }) => {
    const { timezone } = (await settings.current()).general;
    const { month = localMonth(timezone, clock.now()) } = query;
    if (!isMonth(month) || month < firstMonth) throw invalidField('month', 'must be YYYY-MM');
    return readActivity(pool, daysOf(month, timezone));
  });
}

function daysOf(month: string, zone: string): DayWindow[] {
  const numbers = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, '0'));
  const days = numbers.map((number) => `${month}-${number}`).filter(isDay);
  return days.map((day) => dayWindow(zone, day));
}

async function readActivity(pool: pg.Pool, days: readonly DayWindow[]): Promise<ActivityDay[]> {
  const values = [
    days.map(({ day }) => day),
    days.map(({ start }) => new Date(start).toISOString()),
    days.map(({ end }) => new Date(end).toISOString()),
  ];
  const { rows } = await pool.query<Row>({ name: 'activity', text: activitySql, values });
  return rows.map(toDay);
}

function toDay({ date, uptime, visits, recordings }: Row): ActivityDay {
  return { date, totalUptime: Math.round(uptime * 100) / 100, visits, recordings };
}
