import { access, type HubApp } from '@birdhub/shared/app';
import { readyJson } from '../response-cache/response-cache.js';
import { CalendarQuerySchema, CalendarSchema } from './migration-calendar.schema.js';
import { cutPeriod, readCalendar, readPeriod } from './migration-calendar.store.js';

const schema = {
  operationId: 'getMigrationCalendar',
  summary: 'Get the migration calendar',
  description:
    'A visit is counted in the month in which it starts, in the time zone of the hub. Generic ' +
    'species and other animals are left out. Without years and dates, all visits are counted; with ' +
    'both, the narrower range applies.',
  tags: ['species'],
  security: access.open,
  querystring: CalendarQuerySchema,
  response: { 200: CalendarSchema },
};

/** `GET /migration-calendar` */
export function migrationCalendarRoutes(app: HubApp): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/migration-calendar', { schema, config }, async ({ query, readPool }) => {
    const { catalog, evidence, metric, ...bounds } = query;
    const pieces = cutPeriod(readPeriod(bounds));
    return readyJson(await readCalendar(readPool, { catalog, evidence, metric, pieces }));
  });
}
