import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, type DayWindow, dayWindow, isDay, isMonth, localMonth } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { readActivity } from './activity.store.js';

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

/** `GET /system/activity` */
export function activityRoutes(
  app: HubApp,
  { pool, settings, clock }: { pool: pg.Pool; settings: Pick<SettingsReader, 'current'>; clock: Clock },
): void {
  app.get('/api/ui/system/activity', { schema }, async ({ query }) => {
    const { timezone } = (await settings.current()).general;
    const { month = localMonth(timezone, clock.now()) } = query;
    if (!isMonth(month) || month < firstMonth) throw invalidField('month', 'must be YYYY-MM');
    const days = await readActivity(pool, daysOf(month, timezone));
    return days.map(({ uptime, ...day }) => ({ ...day, totalUptime: Math.round(uptime * 100) / 100 }));
  });
}

function daysOf(month: string, zone: string): DayWindow[] {
  const numbers = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, '0'));
  const days = numbers.map((number) => `${month}-${number}`).filter(isDay);
  return days.map((day) => dayWindow(zone, day));
}
