import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { translateDatabaseError } from '../db/db-errors.js';
import { type ErrorCode, HubError, toErrorBody } from '../errors/index.js';
import { invalidRequest, toDetails } from '../validation/validators.js';

const frameworkCodes = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
} as const;

function fromFramework(error: FastifyError): HubError | undefined {
  if (error.validation) {
    return invalidRequest(
      toDetails(error.validation as unknown as ErrorObject[], error.validationContext ?? 'body'),
    );
  }
  const code = Object.entries(frameworkCodes).find(([key]) => key === error.code)?.[1];
  if (code) return new HubError(code, { cause: error });
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return new HubError('invalid_request', {
      message: error.message,
      details: [{ path: '', message: error.message }],
    });
  }
  return undefined;
}

/** Frequent errors that are only counted in metrics, not logged. */
const quietCodes: ReadonlySet<ErrorCode> = new Set(['media_pending', 'busy']);

/**
 * Converts any error to a {@link HubError}: errors of Fastify and the database by their codes, all others to
 * `internal`.
 */
export function toHubError(error: unknown): HubError {
  if (error instanceof HubError) return error;
  if (!(error instanceof Error)) return new HubError('internal', { cause: error });
  const known = translateDatabaseError(error) ?? fromFramework(error as FastifyError);
  return known ?? new HubError('internal', { cause: error });
}

/**
 * Reads the rest of a body that is too large, as a client that is disconnected while sending does not read the response.
 */
function drainBody(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  request.raw.resume();
}

/** Replies with the error body; 5xx errors are logged with their cause. */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const hubError = toHubError(error);
  if (hubError.code === 'internal') request.log.error({ err: hubError.cause ?? error }, 'request failed');
  else if (hubError.status >= 500 && !quietCodes.has(hubError.code))
    request.log.warn({ err: hubError.cause ?? hubError }, 'request refused');
  if (hubError.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(hubError.retryAfterSeconds));
  if (hubError.status === 401 && hubError.code === 'invalid_token')
    reply.header('www-authenticate', 'Bearer');
  if (hubError.code === 'insufficient_scope')
    reply.header('www-authenticate', 'Bearer error="insufficient_scope"');
  reply.header('cache-control', 'no-store').removeHeader('etag').removeHeader('content-disposition');
  if (hubError.code === 'payload_too_large') drainBody(request, reply);
  return reply
    .code(hubError.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toErrorBody(hubError, request.id)));
}
