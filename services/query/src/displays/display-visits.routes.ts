import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { Type } from 'typebox';
import { idInPath } from '../wire.schema.js';
import { allTags, type DisplayRoutesDeps, frameNow, keyWithDay, today } from './display-frame.js';
import { readPageSearch } from './display-queries.js';
import { allSpecies, getVisit, readVisitPage, readVisits } from './display-visits.store.js';
import {
  DisplayConfigSchema,
  DisplayRecentQuerySchema,
  DisplayVisitPageSchema,
  DisplayVisitSchema,
  DisplayVisitsQuerySchema,
} from './displays.schema.js';

const common = { tags: ['displays'], security: access.open };

const schemas = {
  config: {
    ...common,
    operationId: 'getDisplayConfig',
    summary: 'Get the configuration for displays',
    description: 'Returns the configuration of a BirdNET-Go without a login, as far as displays read it.',
    response: { 200: DisplayConfigSchema },
  },
  visits: {
    ...common,
    operationId: 'listDisplayVisits',
    summary: 'List visits as detections of BirdNET-Go',
    description:
      'Each visit of a bird is returned as one detection, seen or heard. Noise, other animals and birds ' +
      'without a scientific name are left out. `start_date` and `end_date` can also be used alone.',
    querystring: DisplayVisitsQuerySchema,
    response: { 200: DisplayVisitPageSchema },
  },
  recent: {
    ...common,
    operationId: 'listRecentDisplayVisits',
    summary: 'List the latest visits as detections of BirdNET-Go',
    description: 'Returns visits, newest first.',
    querystring: DisplayRecentQuerySchema,
    response: { 200: Type.Array(DisplayVisitSchema) },
  },
  visit: {
    ...common,
    operationId: 'getDisplayVisit',
    summary: 'Get a visit as a detection of BirdNET-Go',
    params: idInPath('Id of the visit'),
    response: { 200: DisplayVisitSchema },
  },
};

const defaultRecent = 10;
const newest = {
  window: { start: 0, end: Date.UTC(9999, 0) },
  match: allSpecies,
  skip: 0,
  isAscending: false,
} as const;

/** `GET /api/v2/app/config` and `/api/v2/detections…`: the API for displays made for BirdNET-Go. */
export function displayVisitRoutes(app: HubApp, deps: DisplayRoutesDeps): void {
  app.get('/api/v2/app/config', { schema: schemas.config }, async (request, reply) => {
    reply.header('cache-control', 'no-store');
    return {
      version: 'birdhub' as const,
      basePath: publicPrefix(request),
      audioExportEnabled: true,
      security: { enabled: false, accessAllowed: true, privateMode: false },
    };
  });

  app.get(
    '/api/v2/detections',
    { schema: schemas.visits, config: { cache: { tags: allTags, key: keyWithDay(deps) } } },
    async ({ query, readPool }) => {
      const frame = await frameNow(deps);
      return readVisitPage(readPool, readPageSearch(query, frame, today(deps, frame.zone)), frame);
    },
  );

  app.get(
    '/api/v2/detections/recent',
    { schema: schemas.recent, config: { cache: { tags: allTags } } },
    async ({ query, readPool }) =>
      readVisits(readPool, { ...newest, limit: query.limit ?? defaultRecent }, await frameNow(deps)),
  );

  app.get(
    '/api/v2/detections/:id',
    { schema: schemas.visit, config: { cache: { tags: allTags } } },
    async ({ params, readPool }) => getVisit(readPool, params.id, await frameNow(deps)),
  );
}
