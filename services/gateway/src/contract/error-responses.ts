import { type ErrorKind, errorCatalogue } from '@birdhub/shared/errors';
import type { ContractRoute } from './contract-routes.js';

/** What each status of an error is called where operations refer to it. */
const names = {
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

type ErrorStatus = keyof typeof names;

/** The response of every status that an operation does not name: 5xx, and what goes wrong before routing. */
const otherName = 'Error';

/** Statuses that follow from nothing else in a route, by operation. */
const further: Readonly<Record<string, readonly ErrorStatus[]>> = {
  addBirdFood: [409],
  applyRetention: [409],
  changeSettings: [409],
  createToken: [409],
  dispenseFeed: [409],
  editSpecies: [409],
  exportDataset: [404],
  getDetectionCrop: [403, 409, 410],
  getRecordingFile: [403],
  mergeSpecies: [409],
  postActivity: [404],
  purgeStorage: [409],
  regenerateSpectrograms: [409],
  regenerateTracks: [409],
  repairMedia: [409],
  revertCorrection: [409],
  revertSpeciesMerge: [409],
  scanRecordings: [409],
  streamVideo: [403],
  subscribeToPush: [409],
  verifyPassword: [409],
};

const kinds: readonly (ErrorKind & { code: string })[] = Object.entries<ErrorKind>(errorCatalogue).map(
  ([code, kind]) => ({ code, ...kind }),
);

function toResponse(description: string, { code, message }: { code: string; message: string }): object {
  const example = { error: message, code, request_id: '3f0c9a52-6f0d-4c1e-9b0a-0d6f3f1f2a7b' };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' }, example } };
  return { description, content };
}

/** The responses of errors, for the components of the document; their codes are those of the error catalogue. */
export function errorResponses(): Record<string, object> {
  const named = Object.entries(names).map(([status, name]) => {
    const ofStatus = kinds.filter((kind) => kind.status === Number(status));
    const [first] = ofStatus;
    if (first === undefined) throw new Error(`No error code has the status ${status}`);
    const description = ofStatus.map(({ code, message }) => `- \`${code}\`: ${message}`).join('\n');
    return [name, toResponse(description, first)] as const;
  });
  const other = { code: 'internal', ...errorCatalogue.internal };
  const description = 'Any other error. Where waiting helps, `Retry-After` says how many seconds.';
  return { ...Object.fromEntries(named), [otherName]: toResponse(description, other) };
}

function statusesOf({ method, path, schema, limit }: ContractRoute): ErrorStatus[] {
  const isRead = method === 'GET';
  const isGuarded = !isRead || limit !== undefined || (schema.security ?? []).length > 0;
  const answers = Object.keys((schema.response as object | undefined) ?? {});
  const applies: Record<ErrorStatus, boolean> = {
    400: true,
    // A wrong bearer token is refused wherever it is sent, and clients that send many have to wait.
    401: true,
    403: isGuarded,
    404: path.includes('{'),
    409: false,
    410: path.startsWith('/api/ui/videos/{id}'),
    413: !isRead,
    415: !isRead,
    416: answers.includes('206'),
    429: true,
  };
  const own = further[String(schema.operationId)] ?? [];
  const statuses = Object.keys(names).map(Number) as ErrorStatus[];
  return statuses.filter((status) => applies[status] || own.includes(status));
}

/** References to the responses of errors that an operation has, by status. */
export function errorReferences(route: ContractRoute): Record<string, { $ref: string }> {
  const named = statusesOf(route).map((status) => [status, names[status]] as const);
  const all = [...named, ['default', otherName] as const];
  return Object.fromEntries(
    all.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
  );
}
