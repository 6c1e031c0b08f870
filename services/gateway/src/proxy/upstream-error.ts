import { HubError } from '@birdhub/shared/errors';

const retryAfterSeconds = 2;
const staleCodes = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);

/** Whether a request failed because the service had closed the kept connection it was sent on. */
export function isStaleConnection(error: Error): boolean {
  return staleCodes.has(String(codeOf(error)));
}

/** What the client is told of a service that gave no answer. */
export function toUpstreamError(error: Error): HubError {
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_TIMEOUT') return new HubError('upstream_timeout', { cause: error });
  if (code === 'UND_ERR_INVALID_ARG') return new HubError('invalid_request', { cause: error });
  return new HubError('upstream_unavailable', { cause: error, retryAfterSeconds });
}
