import { access, type HubApp } from '@birdhub/shared/app';
import { PhenologyQuerySchema, PhenologySchema } from './phenology.schema.js';
import { readPhenology } from './phenology.store.js';

const schema = {
  operationId: 'getPhenology',
  summary: 'Get arrival, departure and peak of each species in a year',
  description:
    "Days are those of the start of visits in the hub's zone. Generic species and other animals are left out. " +
    'A species that is there over New Year neither arrives nor departs at it.',
  tags: ['species'],
  security: access.open,
  querystring: PhenologyQuerySchema,
  response: { 200: PhenologySchema },
};

/** `GET /phenology` */
export function phenologyRoutes(app: HubApp): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/phenology', { schema, config }, ({ query, readPool }) =>
    readPhenology(readPool, query.year),
  );
}
