import { checkHookMappings, type HookMapping, hookFields } from '@birdhub/domain/settings';
import { access, type HubApp, unlessDisconnected } from '@birdhub/shared/app';
import { HubError, invalidField } from '@birdhub/shared/errors';
import { invalidRequest } from '@birdhub/shared/validation';
import { toPostedResponse } from '../posted-response.js';
import { requireCamera } from '../processor-auth.js';
import { type SightingDeps, storeSighting } from '../sightings/sightings.js';
import { problemOf, type ValueProblem } from './field-values.js';
import {
  HookBodySchema,
  HookParamsSchema,
  HookPreviewSchema,
  HookResponseSchema,
  type MappedSighting,
  PreviewedHookSchema,
} from './hooks.schema.js';
import { isEmptyMapping, isTooUncertain, type MappingProblem, mapSighting } from './map-sighting.js';
import { parseJsonText } from './pointed-value.js';
import { suggestMapping } from './suggest-mapping.js';

/** Allows a base64 picture inside JSON that is itself a JSON string. */
const bodyLimit = 16 * 1024 * 1024;
const previewLimit = 1024 * 1024;
const maxShownPicture = 200;

const postSchema = {
  operationId: 'postToHook',
  summary: 'Store a sighting from a webhook',
  description:
    'For programs whose payload cannot be configured, such as Apprise. The mapping of the hook in the ' +
    'settings defines which fields hold the species, time, confidence and picture. Posting again with the ' +
    'same `id` or time changes nothing.',
  tags: ['processor'],
  security: access.processor,
  params: HookParamsSchema,
  body: HookBodySchema,
  response: { 200: HookResponseSchema, 201: HookResponseSchema },
};

const previewSchema = {
  operationId: 'previewHook',
  summary: 'Preview the mapping of a hook',
  description: 'Applies a mapping to an example payload. Nothing is stored.',
  tags: ['settings'],
  security: access.admin,
  body: HookPreviewSchema,
  response: { 200: PreviewedHookSchema },
};

/** `POST /api/processor/hooks/{name}`, `POST /api/ui/hooks/preview` */
export function hookRoutes(app: HubApp, deps: SightingDeps): void {
  app.register(async (routes: HubApp) => {
    acceptFormsAndTexts(routes);
    postRoute(routes, deps);
  });
  previewRoute(app, deps);
}

function postRoute(app: HubApp, deps: SightingDeps): void {
  app.post('/api/processor/hooks/:name', { schema: postSchema, bodyLimit }, async (request, reply) => {
    const { hooks, general } = await deps.settings.current();
    const hook = hooks.find(({ name }) => name === request.params.name);
    if (!hook) throw new HubError('hook_not_found');
    if (request.body === undefined) throw invalidField('', 'must be JSON');
    const { sighting, problems } = await mapSighting(hook, request.body, general.timezone);
    if (!sighting) throw invalidMapping(problems);
    requireCamera(request, sighting.camera_id, '/camera_id');
    if (isTooUncertain(hook, sighting)) {
      const message = 'below the minimum confidence of the hook';
      return { message, video_id: null, created: false, visits: [] };
    }
    // A disconnected client will post again.
    return unlessDisconnected(reply, async (signal) => {
      const provider = `hook ${hook.name}`;
      const options = { requestId: request.id, signal, provider, isPictureOptional: true };
      const stored = await storeSighting(deps, sighting, options).catch((error: unknown) => {
        throw withPointers(hook, error);
      });
      reply.code(stored.created ? 201 : 200);
      const { message, video_id, created, visits } = toPostedResponse(stored);
      return { message, video_id, created, visits };
    });
  });
}

/** Returns an error about fields of a sighting as one about the fields of the sender. */
function withPointers(hook: HookMapping, error: unknown): unknown {
  if (!(error instanceof HubError) || error.code !== 'invalid_request' || !error.details) return error;
  const details = error.details.map(({ path, message, ...rest }) => {
    const name = path.slice(1);
    const field = hookFields.find((one) => one === name) ?? (name === 'camera_id' ? 'camera' : undefined);
    if (field === undefined) return { path, message, ...rest };
    return { ...rest, path: hook[field] ?? hook.text ?? '', message: `${field} ${message}` };
  });
  return invalidRequest(details);
}

function invalidMapping(problems: readonly MappingProblem[]): HubError {
  const fatal = problems.filter(({ isFatal }) => isFatal);
  return invalidRequest(
    fatal.map(({ field, pointer, message }) => ({ path: pointer ?? '', message: `${field} ${message}` })),
  );
}

/** Accepts forms with JSON in the field `payload`, and texts, which are parsed as JSON or mapped as a text. */
function acceptFormsAndTexts(app: HubApp): void {
  const parseAs = 'string';
  app.addContentTypeParser<string>('text/plain', { parseAs }, (_request, body, done) => {
    done(null, parseJsonText(body) ?? body);
  });
  app.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs },
    (_request, body, done) => {
      const fields = new URLSearchParams(body);
      const payload = fields.get('payload');
      done(null, payload === null ? Object.fromEntries(fields) : (parseJsonText(payload) ?? payload));
    },
  );
}

function previewRoute(app: HubApp, { settings }: Pick<SightingDeps, 'settings'>): void {
  const options = { schema: previewSchema, bodyLimit: previewLimit };
  app.post('/api/ui/hooks/preview', options, async (request) => {
    const { mapping, example: given } = request.body;
    const example = typeof given === 'string' ? (parseJsonText(given) ?? given) : given;
    const suggestions = suggestMapping(example);
    const { name: _, ...own } = mapping;
    const applied: HookMapping = isEmptyMapping(own) ? { ...own, ...suggestions } : own;
    const mistakes = (await checkHookMappings([{ path: '', mapping: applied }])).map(({ path, ...problem }) =>
      toShown({ field: path.slice(1), ...problem }),
    );
    if (mistakes.length) return { problems: mistakes, suggestions };
    const { general } = await settings.current();
    const { sighting, problems } = await mapSighting(applied, example, general.timezone);
    const shown = problems.map(toShown);
    if (!sighting) return { problems: shown, suggestions };
    const { min_confidence } = applied;
    if (isTooUncertain(applied, sighting))
      shown.push({
        field: 'min_confidence',
        ...problemOf('min_confidence', { confidence: sighting.confidence ?? 1 }),
      });
    if (min_confidence !== undefined && sighting.confidence === undefined)
      shown.push({ field: 'confidence', ...problemOf('confidence_not_found') });
    return { sighting: abbreviated(sighting), problems: shown, suggestions };
  });
}

/** Returns a problem as responses contain it. */
function toShown({ field, message, code, values }: Pick<MappingProblem, 'field' | keyof ValueProblem>) {
  return { field, message, ...(code && { code }), ...(values && { values: { ...values } }) };
}

function abbreviated(sighting: MappedSighting): MappedSighting {
  const { image_base64 } = sighting;
  return image_base64 ? { ...sighting, image_base64: image_base64.slice(0, maxShownPicture) } : sighting;
}
