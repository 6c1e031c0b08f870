import type { SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesEditor, SpeciesPatch } from '@birdhub/domain/species';
import { access, callerTokenOf, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { type Clock, dayMs, minuteMs, readZoneClock } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Type } from 'typebox';
import type { ResponseBudget } from '../response-cache/response-budget.js';
import { type RouteCacheOptions, readyJson } from '../response-cache/response-cache.js';
import { chooseLanguage } from '../species-knowledge/description-language.js';
import { TimelineItemSchema } from '../timeline/timeline.schema.js';
import { linkToNextPage, pageUrl, readCursor } from '../timeline/timeline-cursor.js';
import { idInPath, toStoredImageUrl } from '../wire.schema.js';
import {
  BirdFamilySchema,
  MergeBodySchema,
  MergeResponseSchema,
  ObservedSpeciesSchema,
  type SpeciesPatchBody,
  SpeciesPatchSchema,
  SpeciesQuerySchema,
  SpeciesSchema,
  SpeciesSummarySchema,
} from './species.schema.js';
import {
  getSpecies,
  listFamilies,
  listObservedSpecies,
  listSpecies,
  readSpeciesSummary,
  readSpeciesVisits,
} from './species.store.js';

/** Dependencies of these routes. */
export interface SpeciesRoutesDeps {
  readonly settings: SettingsReader;
  readonly clock: Clock;
  readonly budget: ResponseBudget;
  readonly speciesEditor: SpeciesEditor;
  readonly pool: pg.Pool;
}

/** Routes of species and their visits. */
export function speciesRoutes(app: HubApp, deps: SpeciesRoutesDeps): void {
  listRoutes(app);
  summaryRoutes(app, deps);
  visitsRoutes(app, deps);
  editingRoutes(app, deps);
}

const speciesRoute = {
  operationId: 'listSpecies',
  summary: 'List species',
  description: 'Returns species with their number of visits, sorted by name.',
  tags: ['species'],
  security: access.open,
  querystring: SpeciesQuerySchema,
  response: { 200: Type.Array(SpeciesSchema) },
};

const observedRoute = {
  ...speciesRoute,
  querystring: Type.Object({}),
  operationId: 'listObservedSpecies',
  summary: 'List observed species',
  description:
    'Returns species with visits, sorted by name, with the number of visits, the first and the latest ' +
    'visit, and the visits by month.',
  response: { 200: Type.Array(ObservedSpeciesSchema) },
};

const familiesRoute = {
  operationId: 'listBirdFamilies',
  summary: 'List bird families',
  description: 'Returns families, sorted by name.',
  tags: ['species'],
  security: access.open,
  response: { 200: Type.Array(BirdFamilySchema) },
};

/** `GET /species`, `GET /species/observed`, `GET /bird_families` */
function listRoutes(app: HubApp): void {
  const config = { cache: { tags: { recordings: 'all', species: true } } } as const;
  app.get('/api/ui/species', { schema: speciesRoute, config }, async ({ query, readPool }) =>
    readyJson(await (query.scope === 'observed' ? listObservedSpecies : listSpecies)(readPool)),
  );
  app.get('/api/ui/species/observed', { schema: observedRoute, config }, async ({ readPool }) =>
    readyJson(await listObservedSpecies(readPool)),
  );
  const families = { cache: { tags: { species: true } } } as const;
  app.get('/api/ui/bird_families', { schema: familiesRoute, config: families }, async ({ readPool }) =>
    readyJson(await listFamilies(readPool)),
  );
}

const summaryRoute = {
  operationId: 'getSpeciesSummary',
  summary: 'Get a summary of a species and its descendants',
  tags: ['species'],
  security: access.open,
  description:
    'The description is in English, unless it is available in the language given by `lang` or ' +
    '`Accept-Language`. A description written by a user is returned unchanged for all languages.',
  params: idInPath('Id of the species'),
  querystring: Type.Object({
    lang: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,4}$',
        description: 'Language of the description (BCP 47); takes precedence over `Accept-Language`',
      }),
    ),
  }),
  response: { 200: SpeciesSummarySchema },
};

/** Returns the zone clock for the visits of the last 30 days; recordings are at most a day ahead. */
function clockAround(zone: string, now: number) {
  return readZoneClock(zone, { start: now - 30 * dayMs, end: now + 2 * dayMs });
}

interface SpeciesRequest {
  readonly Params: { readonly id: number };
  readonly Querystring: { readonly lang?: string };
}

const languageOf = ({ query, headers }: FastifyRequest<SpeciesRequest>) =>
  chooseLanguage(query.lang, headers['accept-language']);

/** `GET /species/:id/summary`, computed to the minute, so that a response is valid for a minute. */
function summaryRoutes(app: HubApp, { settings, clock, budget }: SpeciesRoutesDeps): void {
  const thisMinute = () => Math.floor(clock.now() / minuteMs) * minuteMs;
  const cache: RouteCacheOptions = {
    tags: { recordings: 'all', species: true, settings: true },
    key: (request: FastifyRequest<SpeciesRequest>) =>
      `${request.params.id} ${thisMinute()} ${languageOf(request)}`,
    vary: 'accept-language',
  };
  app.get('/api/ui/species/:id/summary', { schema: summaryRoute, config: { cache } }, async (request) => {
    const { timezone } = (await settings.current()).general;
    const { readPool, params } = request;
    const [speciesId, now, language] = [params.id, thisMinute(), languageOf(request)];
    const [summary, visits] = await Promise.all([
      readSpeciesSummary(readPool, { speciesId, now, clock: clockAround(timezone, now), language }),
      readSpeciesVisits(readPool, { speciesId, limit: 10, after: undefined }, budget),
    ]);
    return readyJson(`${summary.slice(0, -1)},"recentVisits":${visits.body}}`);
  });
}

const visitsRoute = {
  operationId: 'listSpeciesVisits',
  summary: 'List the visits of a species and its descendants',
  description:
    'Returns visits, newest first. When `limit` truncates the list, the `Link` header points to the rest.',
  tags: ['species'],
  security: access.open,
  params: idInPath('Id of the species'),
  querystring: Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of visits' }),
    cursor: Type.Optional(Type.String({ description: 'Cursor from the `Link` header of the previous page' })),
  }),
  response: { 200: Type.Array(TimelineItemSchema) },
};

/** `GET /species/:id/visits` */
function visitsRoutes(app: HubApp, { budget }: Pick<SpeciesRoutesDeps, 'budget'>): void {
  const urlOf = ({ params, url }: Pick<FastifyRequest<SpeciesRequest>, 'params' | 'url'>) =>
    pageUrl(`/api/ui/species/${params.id}/visits`, url, visitsRoute.querystring);
  const cache: RouteCacheOptions = {
    tags: { recordings: 'all', species: true },
    key: (request: FastifyRequest<SpeciesRequest>) => urlOf(request),
  };
  app.get('/api/ui/species/:id/visits', { schema: visitsRoute, config: { cache } }, async (request) => {
    const { limit, cursor } = request.query;
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const search = { speciesId: request.params.id, limit, after };
    const { body, last } = await readSpeciesVisits(request.readPool, search, budget);
    const link = last && linkToNextPage(publicPrefix(request), urlOf(request), last);
    return readyJson(body, { link });
  });
}

const editing = { tags: ['species'], security: access.admin };
const speciesInPath = idInPath('Id of the species');

const editRoute = {
  ...editing,
  operationId: 'editSpecies',
  summary: 'Edit a species',
  description: 'Omitted fields stay unchanged. Changing the parent recomputes the affected visits.',
  params: speciesInPath,
  body: SpeciesPatchSchema,
  response: { 200: SpeciesSchema },
};

const mergeRoute = {
  ...editing,
  operationId: 'mergeSpecies',
  summary: 'Merge a species into another',
  params: speciesInPath,
  body: MergeBodySchema,
  response: { 200: MergeResponseSchema },
};

const revertRoute = {
  ...editing,
  operationId: 'revertSpeciesMerge',
  summary: 'Revert a merge of species',
  description: 'Detections that users have reviewed since then keep their species.',
  params: idInPath('Id of the merge, as returned in `merge_id`'),
  response: { 200: MergeResponseSchema },
};

const fieldNames: Record<keyof SpeciesPatchBody, keyof SpeciesPatch> = {
  name: 'name',
  scientific_name: 'scientificName',
  ebird_code: 'ebirdCode',
  parent_id: 'parentId',
  active: 'active',
  image_url: 'imageUrl',
  description: 'description',
};

function toPatch(body: SpeciesPatchBody): SpeciesPatch {
  const fields = Object.keys(body) as (keyof SpeciesPatchBody)[];
  const { image_url } = body;
  return {
    ...Object.fromEntries(fields.map((field) => [fieldNames[field], body[field]])),
    ...(image_url != null && { imageUrl: toStoredImageUrl(image_url) }),
  };
}

/** `PATCH /species/:id`, `POST /species/:id/merge`, `POST /species/merges/:id/revert` */
function editingRoutes(app: HubApp, { speciesEditor, pool }: SpeciesRoutesDeps): void {
  app.patch('/api/ui/species/:id', { schema: editRoute }, async (request) => {
    const { speciesId } = await speciesEditor.edit(
      request.params.id,
      toPatch(request.body),
      request.id,
      callerTokenOf(request)?.name,
    );
    return getSpecies(pool, speciesId);
  });
  app.post('/api/ui/species/:id/merge', { schema: mergeRoute }, async (request) => {
    const { id } = request.params;
    const { mergeId, movedDetections } = await speciesEditor.merge(
      id,
      request.body.into_species_id,
      request.id,
      callerTokenOf(request)?.name,
    );
    return { message: 'success', merge_id: mergeId, moved_detections: movedDetections };
  });
  app.post('/api/ui/species/merges/:id/revert', { schema: revertRoute }, async (request) => {
    const { mergeId, movedDetections } = await speciesEditor.separate(
      request.params.id,
      request.id,
      callerTokenOf(request)?.name,
    );
    return { message: 'success', merge_id: mergeId, moved_detections: movedDetections };
  });
}
