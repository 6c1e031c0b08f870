import type { SettingsReader } from '@birdhub/domain/settings';
import { countedSql } from '@birdhub/domain/species';
import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';

const method = 'species_visit_sessions' as const;

const schema = {
  operationId: 'getVisitors',
  summary: 'Count the visits of the last days',
  tags: ['system'],
  security: access.open,
  querystring: Type.Object({
    days: Type.Integer({
      minimum: 1,
      maximum: 365,
      default: 7,
      description: 'Number of calendar days up to and including today, in the time zone of the hub',
    }),
  }),
  response: {
    200: Type.Object(
      {
        period_days: Type.Integer({ description: 'Number of days counted' }),
        unique_visits: Type.Integer({ description: 'Number of visits in these days' }),
        active_days: Type.Integer({ description: 'Number of days with at least one visit' }),
        method: Type.Unsafe<typeof method>({
          type: 'string',
          enum: [method],
          description:
            'Counts visits per species, as in the timeline, without generic species and other animals',
        }),
      },
      { $id: 'Visitors' },
    ),
  },
};

const visitorsSql = `
  SELECT coalesce(sum(visits), 0) AS visits, count(DISTINCT day) FILTER (WHERE visits > 0) AS days
  FROM visit_day JOIN species ON species.id = species_id
  WHERE day > $1::date - $2::integer AND day <= $1::date AND ${countedSql()}`;

/** `GET /system/visitors` */
export function visitorsRoutes(
  app: HubApp,
  { pool, settings, clock }: { pool: pg.Pool; settings: Pick<SettingsReader, 'current'>; clock: Clock },
): void {
  app.get('/api/ui/system/visitors', { schema }, async ({ query: { days: period_days } }) => {
    const { timezone } = (await settings.current()).general;
    const { visits, days } = await readVisitors(pool, localDay(timezone, clock.now()), period_days);
    return { period_days, unique_visits: visits, active_days: days, method };
  });
}

interface VisitorCounts {
  readonly visits: number;
  /** Number of days with a visit. */
  readonly days: number;
}

/** Reads the daily rollups up to and including the last day. */
async function readVisitors(pool: pg.Pool, lastDay: string, days: number): Promise<VisitorCounts> {
  const { rows } = await pool.query<VisitorCounts>({
    name: 'visitors',
    text: visitorsSql,
    values: [lastDay, days],
  });
  return rows[0] ?? { visits: 0, days: 0 };
}
