import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { type Clock, localDay } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { readVisitors } from './visitors.store.js';

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
