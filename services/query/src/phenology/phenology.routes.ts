import { access, type HubApp } from '@birdhub/shared/app';
import { invalidField } from '@birdhub/shared/errors';
import { daysBetween, isDay } from '@birdhub/shared/time';
import {
  maxListedDays,
  PhenologyQuerySchema,
  PhenologySchema,
  type SpeciesDaysQuery,
  SpeciesDaysQuerySchema,
  SpeciesDaysSchema,
} from './phenology.schema.js';
import { readPhenology, readSpeciesDays } from './phenology.store.js';

const schema = {
  operationId: 'getPhenology',
  summary: 'Get arrival, departure and peak of each species in a year',
  description:
    'A visit is counted on the day on which it starts, in the time zone of the hub. Generic ' +
    'species and other animals are left out. A species that is present over New Year neither ' +
    'arrives nor departs at New Year.',
  tags: ['species'],
  security: access.open,
  querystring: PhenologyQuerySchema,
  response: { 200: PhenologySchema },
};

const daysSchema = {
  operationId: 'listSpeciesDays',
  summary: 'List the visits of each species by day',
  description:
    'A visit is counted on the day on which it starts, in the time zone of the hub. Generic species and ' +
    'other animals are left out.',
  tags: ['species'],
  security: access.open,
  querystring: SpeciesDaysQuerySchema,
  response: { 200: SpeciesDaysSchema },
};

function checkDays({ start_date, end_date }: SpeciesDaysQuery): void {
  for (const [field, day] of Object.entries({ start_date, end_date }))
    if (!isDay(day)) throw invalidField(field, 'must be a day, YYYY-MM-DD');
  const days = daysBetween(start_date, end_date) + 1;
  if (days < 1) throw invalidField('end_date', 'must not be before start_date');
  if (days > maxListedDays)
    throw invalidField('end_date', `must be at most ${maxListedDays} days, start_date included`);
}

/** `GET /phenology`, `GET /phenology/days` */
export function phenologyRoutes(app: HubApp): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/phenology', { schema, config }, ({ query, readPool }) =>
    readPhenology(readPool, query.year),
  );
  app.get('/api/ui/phenology/days', { schema: daysSchema, config }, ({ query, readPool }) => {
    checkDays(query);
    return readSpeciesDays(readPool, query.start_date, query.end_date);
  });
}
