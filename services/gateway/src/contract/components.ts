import { isDeepStrictEqual } from 'node:util';
import { type ErrorKind, errorCatalogue } from '@birdhub/shared/errors';
import type { PublishedRoute } from './published-routes.js';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
interface JsonObject {
  [key: string]: Json;
}

/** Schemas by their `$id`, collected from anywhere within other schemas. */
export type SchemaComponents = Map<string, JsonObject>;

/** Moves schemas with an `$id` to the components and replaces them by references. */
export function hoistSchemas(schema: unknown, components: SchemaComponents): unknown {
  // TypeBox adds symbol properties, which JSON drops.
  return hoist(JSON.parse(JSON.stringify(schema)) as Json, components);
}

/** Removes properties with a default from `required`, as clients may omit them. */
export function makeDefaultedOptional(schema: unknown): unknown {
  return withoutDefaulted(JSON.parse(JSON.stringify(schema)) as Json);
}

function hoist(value: Json, components: SchemaComponents): Json {
  if (Array.isArray(value)) return value.map((part) => hoist(part, components));
  if (!isObject(value)) return value;
  const { $id, ...rest } = value;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([key, part]) => [key, hoist(part, components)]),
  );
  if (typeof $id !== 'string') return schema;
  const known = components.get($id);
  if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas share the name ${$id}`);
  components.set($id, schema);
  return { $ref: `${$id}#` };
}

function withoutDefaulted(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutDefaulted);
  if (!isObject(value)) return value;
  const { properties, required } = value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDefaulted(part)]));
  if (!isObject(properties) || !Array.isArray(required)) return copy;
  const hasDefault = (name: Json) => {
    const property = properties[String(name)];
    return isObject(property) && property['default'] !== undefined;
  };
  return { ...copy, required: required.filter((name) => !hasDefault(name)) };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A parameter in the document. */
interface Parameter {
  readonly name: string;
  readonly in: string;
}

/** An operation in the document. */
interface Operation {
  readonly tags?: readonly string[];
  parameters?: (Parameter | { readonly $ref: string })[];
}

/** A parameter and the operations that share it. */
interface Use {
  readonly parameter: Parameter;
  readonly key: string;
  readonly operations: Operation[];
}

/** Moves shared parameters to the components, which are returned, and replaces them by references. */
export function shareParameters(paths: Readonly<Record<string, object>>): Record<string, object> {
  const shared = findUses(paths).filter(({ operations }) => operations.length > 1);
  const named = shared.map((use) => {
    const isUnique = shared.every((other) => other === use || other.key !== use.key);
    const [tag = ''] = use.operations[0]?.tags ?? [];
    const isPlain = isUnique || use.parameter.in === 'path';
    return { ...use, name: isPlain ? use.key : toPascalCase(tag) + use.key };
  });
  for (const { parameter, name, operations } of named) {
    for (const operation of operations) {
      operation.parameters = (operation.parameters ?? []).map((own) =>
        isDeepStrictEqual(own, parameter) ? { $ref: `#/components/parameters/${name}` } : own,
      );
    }
  }
  const components = Object.fromEntries(named.map(({ name, parameter }) => [name, parameter]));
  if (Object.keys(components).length < named.length)
    throw new Error('Two shared parameters have the same name');
  return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function findUses(paths: Readonly<Record<string, object>>): Use[] {
  const uses: Use[] = [];
  for (const [path, item] of Object.entries(paths)) {
    for (const operation of Object.values(item) as Operation[]) {
      for (const parameter of (operation.parameters ?? []) as Parameter[]) {
        const isId = parameter.in === 'path' && parameter.name === 'id';
        const key = toPascalCase(isId ? `${ownerOf(path)}Id` : parameter.name);
        const known = uses.find((use) => use.key === key && isDeepStrictEqual(use.parameter, parameter));
        if (known) known.operations.push(operation);
        else uses.push({ parameter, key, operations: [operation] });
      }
    }
  }
  return uses;
}

/** Returns `Video` for `/api/ui/videos/{id}`; an empty text for other paths. */
function ownerOf(path: string): string {
  const [, folder = ''] = /\/([a-z_-]+)\/\{id\}/.exec(path) ?? [];
  return toPascalCase(folder === 'species' ? folder : folder.replace(/s$/, ''));
}

const toPascalCase = (name: string) =>
  name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Component names of error responses by status. */
const errorNames = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  410: 'Gone',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  416: 'RangeNotSatisfiable',
  429: 'TooManyRequests',
} as const;

type ErrorStatus = keyof typeof errorNames;

/** The default response: 5xx, and errors before routing. */
const otherErrorName = 'Error';

/** Further error statuses by operation, which cannot be derived from the route. */
const furtherStatuses: Readonly<Record<string, readonly ErrorStatus[]>> = {
  addBirdFood: [409],
  applyRetention: [409],
  changeSettings: [409],
  correctDetection: [409],
  createNotificationChannel: [409],
  createShare: [404, 409, 410],
  createSource: [409],
  createToken: [409],
  dispenseFeed: [409],
  editSpecies: [409],
  exportDataset: [404],
  exportTimeline: [404, 409],
  getDayCard: [404],
  getDetectionCrop: [403, 409, 410],
  getDisplaySpeciesImage: [404],
  getRecordingFile: [403],
  getSharedMedia: [410],
  getSharedPicture: [410],
  importSource: [409],
  mergeSpecies: [409],
  negotiateLiveWebrtc: [409],
  pauseJob: [409],
  postActivity: [404],
  purgeStorage: [409],
  regenerateSpectrograms: [409],
  regenerateTracks: [409],
  removeDemo: [404],
  repairMedia: [409],
  resumeJob: [409],
  revertCorrection: [409],
  revertSpeciesMerge: [409],
  scanRecordings: [409],
  startDemo: [409],
  streamVideo: [403],
  subscribeToPush: [409],
  testNotificationChannel: [404],
  testSource: [404],
  tidySpecies: [409],
  undoSpeciesTidy: [409],
  updateNotificationChannel: [409],
  updateSource: [409],
  uploadMedia: [409, 410, 416],
  verifyPassword: [409],
  watchLiveHls: [403, 409],
  watchLiveMjpeg: [403, 409],
};

const errorKinds: readonly (ErrorKind & { code: string })[] = Object.entries<ErrorKind>(errorCatalogue).map(
  ([code, kind]) => ({ code, ...kind }),
);

/** Returns the error responses for the components of the document; codes are those of the error catalogue. */
export function errorResponses(): Record<string, object> {
  const named = Object.entries(errorNames).map(([status, name]) => {
    const ofStatus = errorKinds.filter((kind) => kind.status === Number(status));
    const [first] = ofStatus;
    if (first === undefined) throw new Error(`No error code has the status ${status}`);
    const description = ofStatus.map(({ code, message }) => `- \`${code}\`: ${message}`).join('\n');
    return [name, toResponse(description, first)] as const;
  });
  const other = { code: 'internal', ...errorCatalogue.internal };
  const description =
    'Any other error. When a retry can succeed, `Retry-After` contains the number of seconds to wait.';
  return { ...Object.fromEntries(named), [otherErrorName]: toResponse(description, other) };
}

/** Returns references to the error responses of an operation by status. */
export function errorReferences(route: PublishedRoute): Record<string, { $ref: string }> {
  const named = statusesOf(route).map((status) => [status, errorNames[status]] as const);
  const all = [...named, ['default', otherErrorName] as const];
  return Object.fromEntries(
    all.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}

function statusesOf({ method, path, schema, limit }: PublishedRoute): ErrorStatus[] {
  const isRead = method === 'GET' || method === 'HEAD';
  const isGuarded = !isRead || limit !== undefined || (schema.security ?? []).length > 0;
  const responses = Object.keys((schema.response as object | undefined) ?? {});
  const applies: Record<ErrorStatus, boolean> = {
    400: true,
    // Wrong bearer tokens are rejected by every operation, and rate limited.
    401: true,
    403: isGuarded,
    404: path.includes('{'),
    409: false,
    410: path.startsWith('/api/ui/videos/{id}'),
    413: !isRead,
    415: !isRead,
    416: responses.includes('206'),
    429: true,
  };
  const own = furtherStatuses[String(schema.operationId)] ?? [];
  const statuses = Object.keys(errorNames).map(Number) as ErrorStatus[];
  return statuses.filter((status) => applies[status] || own.includes(status));
}

function toResponse(description: string, { code, message }: { code: string; message: string }): object {
  const example = { error: message, code, request_id: '3f0c9a52-6f0d-4c1e-9b0a-0d6f3f1f2a7b' };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
  return { description, content };
}
