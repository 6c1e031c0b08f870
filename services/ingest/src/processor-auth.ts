import {
  callerOf,
  callerTokenHeader,
  callerTokenOf,
  isCrossSite,
  isSameSecret,
  requireInternal,
} from '@birdhub/shared/app';
import { addressKey, type TokenAttempts } from '@birdhub/shared/attempts';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';

/** The configured secrets for authentication. */
export interface IngestSecrets {
  readonly internalSecret: string | undefined;
  readonly processorSecret: string | undefined;
  readonly tokenAttempts: Pick<TokenAttempts, 'requireNotBlocked' | 'countFailure'>;
}

type Check = (request: FastifyRequest) => Promise<void>;

const admit: Check = async () => undefined;
const noOrigins: ReadonlySet<string> = new Set();

/**
 * Returns a hook that accepts requests with the configured token of processors, which may bypass the gateway, and
 * requests from the gateway, which has verified access tokens. Requests from pages of other sites are rejected.
 */
export function requireProcessor(secrets: IngestSecrets): Check {
  const { internalSecret, processorSecret } = secrets;
  const viaGateway = internalSecret === undefined ? admit : requireInternal(internalSecret);
  const withToken = processorSecret === undefined ? viaGateway : requireToken(processorSecret, secrets);
  return async (request) => {
    if (isCrossSite(request, noOrigins) && !isFromGateway(request, internalSecret)) {
      throw new HubError('csrf_rejected');
    }
    const isOfProcessors = request.routeOptions.url?.startsWith('/api/processor/');
    return isOfProcessors ? withToken(request) : viaGateway(request);
  };
}

function requireToken(secret: string, { internalSecret, tokenAttempts }: IngestSecrets): Check {
  return async (request) => {
    const isVerified = request.headers[callerTokenHeader] !== undefined && internalSecret !== undefined;
    if (isVerified && isFromGateway(request, internalSecret)) return;
    const given = request.headers['x-processor-token'];
    if (typeof given !== 'string') throw new HubError('forbidden');
    const address = callerAddress(request, internalSecret);
    tokenAttempts.requireNotBlocked(address);
    if (isSameSecret(given, secret)) return;
    await tokenAttempts.countFailure(address);
    throw new HubError('forbidden');
  };
}

/**
 * Rejects bodies with a camera that the access token does not include. A recording or a sighting must have one of the
 * token's cameras; other bodies may have none. Hooks determine their camera themselves.
 */
export async function requireAllowedCamera(request: FastifyRequest): Promise<void> {
  if (isOfHook(request)) return;
  const camera = cameraOf(request.body);
  if (camera != null || isRecording(request)) requireCamera(request, camera, '/camera_id');
}

/** @throws HubError camera_not_allowed when the access token of the request is for other cameras */
export function requireCamera(request: FastifyRequest, camera: unknown, path: string): void {
  const { cameras } = callerTokenOf(request) ?? {};
  if (cameras === undefined || (typeof camera === 'string' && cameras.includes(camera))) return;
  const message = `must be one of the cameras of the token: ${cameras.join(', ')}`;
  throw new HubError('camera_not_allowed', { details: [{ path, message }] });
}

/**
 * Rejects uploads for cameras that the access token does not include: the path must start with a folder named after the
 * id of one of its cameras. `path` is relative to the tree.
 */
export function requireAllowedPath(request: FastifyRequest, path: string): void {
  const { cameras } = callerTokenOf(request) ?? {};
  if (cameras === undefined || cameras.some((camera) => path.startsWith(`${camera}/`))) return;
  const message = `must begin with a folder of the token's cameras: ${cameras.map((one) => `${one}/`).join(', ')}`;
  throw new HubError('camera_not_allowed', { details: [{ path: 'path', message }] });
}

/** Rejects access tokens that are limited to some cameras. */
export async function requireEveryCamera(request: FastifyRequest): Promise<void> {
  const { cameras } = callerTokenOf(request) ?? {};
  if (cameras === undefined) return;
  throw new HubError('camera_not_allowed', {
    message: `This affects all cameras, but the token is limited to ${cameras.join(', ')}.`,
  });
}

function cameraOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'camera_id' in body ? body.camera_id : undefined;
}

const isOfHook = ({ routeOptions }: FastifyRequest) =>
  routeOptions.url?.startsWith('/api/processor/hooks/') === true;
const isRecording = ({ routeOptions: { url = '' } }: FastifyRequest) =>
  url.endsWith('/videos') || url.endsWith('/sightings');

/** Returns the address by which wrong tokens are counted; an authenticated gateway may forward that of its client. */
function callerAddress(request: FastifyRequest, internalSecret: string | undefined): string {
  const forwarded = request.headers['x-forwarded-for'];
  const isForwarded = internalSecret !== undefined && isFromGateway(request, internalSecret);
  return addressKey(isForwarded && typeof forwarded === 'string' ? { ip: forwarded } : request);
}

/**
 * Whether a request comes from the gateway, which has checked its origin; pages cannot set these headers without a
 * preflight.
 */
function isFromGateway({ headers }: FastifyRequest, internalSecret: string | undefined): boolean {
  const given = headers['x-hub-internal'];
  if (internalSecret === undefined) return callerOf({ headers }) !== undefined;
  return typeof given === 'string' && isSameSecret(given, internalSecret);
}
