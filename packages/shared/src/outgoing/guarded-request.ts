import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { unescape as unescapePercents } from 'node:querystring';
import { awaitResponse } from './await-response.js';
import type { ServiceGuard } from './service-guard.js';

/** A request to an address that a user or a device supplied. */
export interface GuardedRequest {
  readonly guard: Pick<ServiceGuard, 'admit'>;
  /** Aborts the request and its response. */
  readonly signal: AbortSignal;
  /** Aborts only the wait for the response. */
  readonly responseSignal?: AbortSignal | undefined;
  /** Default `GET`. */
  readonly method?: string | undefined;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: Buffer | undefined;
  /** Whether certificates in private networks may be self-signed, as those of cameras often are. */
  readonly allowsSelfSigned?: boolean;
}

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a response redirects to another address. */
export const isRedirect = ({ statusCode = 0 }: IncomingMessage): boolean => redirectStatuses.has(statusCode);

/** Returns the address to which a response redirects; undefined when it is not one of HTTP. */
export function redirectTarget(url: URL, { headers: { location } }: IncomingMessage): URL | undefined {
  if (location === undefined || !URL.canParse(location, url.href)) return undefined;
  const target = new URL(location, url);
  return ['http:', 'https:'].includes(target.protocol) ? target : undefined;
}

/**
 * Sends a request on its own connection to an address that the guard admits, and returns the response, which the caller
 * must read or destroy. User and password in the address are sent as Basic authentication unless `headers` has another.
 * @throws RefusedAddressError, the reason of a signal, or the error of the connection
 */
export async function requestGuarded(url: URL, options: GuardedRequest): Promise<IncomingMessage> {
  const { guard, signal, responseSignal = signal, method = 'GET', headers, body } = options;
  const isSecure = url.protocol === 'https:';
  const admitted = guard.admit(url.hostname, Number(url.port) || (isSecure ? 443 : 80));
  const { lookup, isPrivate } = await rejectOnAbort(rejectOnAbort(admitted, signal), responseSignal);
  const request = (isSecure ? requestHttps : requestHttp)({
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: url.pathname + url.search,
    method,
    agent: false,
    lookup,
    signal,
    ...(isSecure && { rejectUnauthorized: !(isPrivate && options.allowsSelfSigned) }),
    headers: { 'user-agent': 'birdhub', ...basicAuthorization(url), ...headers },
  });
  request.end(body);
  try {
    const response = await rejectOnAbort(awaitResponse(request), responseSignal);
    response.on('error', () => undefined);
    return response;
  } catch (error) {
    request.destroy();
    throw error;
  }
}

/**
 * Returns the header of Basic authentication with user and password of an address, if it has any. A percent sign that
 * does not start an escape is literal, as users enter passwords unescaped.
 */
export function basicAuthorization({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${unescapePercents(username)}:${unescapePercents(password)}`;
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Rejects when the signal fires, as resolving a name may take longer than a timeout. */
function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
