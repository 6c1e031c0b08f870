import type { SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { type Clock, type DayWindow, dayWindow, isDay, isMonth, localMonth } from '@birdhub/shared/time';
import type pg from 'pg';
import { Type } from 'typebox';
import { ActivitySchema } from './activity.schema.js';
import { readActivity } from './activity.store.js';

const schema = {
  operationId: 'getActivity',
  summary: 'Get the activity of each day of a month',
  tags: ['system'],
  security: access.open,
  querystring: Type.Object({
    month: Type.Optional(
      Type.String({ description: "`YYYY-MM`; the current month of the hub's zone when left out" }),
    ),
  }),
  response: { 200: ActivitySchema },
};

/** PostgreSQL takes instants from year 1 on in ISO form. */
const firstMonth = '0002';

function daysOf(month: string, zone: string): DayWindow[] {
  const numbers = Array.from({ length: 31 }, (_, index) => String(index + 1).padStart(2, '0'));
  const days = numbers.map((number) => `${month}-${number}`).filter(isDay);
  return days.map((day) => dayWindow(zone, day));
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
