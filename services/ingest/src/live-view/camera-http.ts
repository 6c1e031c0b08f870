import type { IncomingMessage } from 'node:http';
import { unescape as unescapePercents } from 'node:querystring';
import { HubError } from '@birdhub/shared/errors';
import {
  isRedirect,
  RefusedAddressError,
  readLimited,
  redirectTarget,
  requestGuarded,
  type ServiceGuard,
} from '@birdhub/shared/outgoing';
import { digestAuthorization } from './digest-auth.js';

/** A request to a camera. */
export interface CameraRequest {
  readonly method?: 'GET' | 'POST';
  readonly accept: string;
  readonly body?: { readonly type: string; readonly text: string };
  /** A `Range` header. */
  readonly range?: string | undefined;
  /** Aborts the request and the response. */
  readonly signal: AbortSignal;
}

/** The response of a camera. */
export interface CameraResponse {
  readonly message: IncomingMessage;
  /** The final URL after redirects, the base of relative addresses in the body. */
  readonly url: URL;
}

const responseTimeoutMs = 10_000;
const maxRedirects = 2;

/**
 * Requests an address of a camera. User and password in it are sent as Basic authentication, and again as Digest
 * authentication if the camera requires that. Redirects are only followed within the same origin, so that credentials are
 * not sent elsewhere.
 * @throws HubError live_unavailable, range_not_satisfiable, the reason of an abort
 */
export async function requestCamera(
  guard: ServiceGuard,
  start: URL,
  request: CameraRequest,
): Promise<CameraResponse> {
  const timeout = AbortSignal.timeout(responseTimeoutMs);
  try {
    let url = start;
    for (let hop = 0; hop <= maxRedirects; hop += 1) {
      const message = await sendAuthenticated(guard, url, request, timeout);
      const { statusCode = 0 } = message;
      if (statusCode >= 200 && statusCode < 300) return { message, url };
      message.destroy();
      if (statusCode === 416) throw new HubError('range_not_satisfiable');
      if (!isRedirect(message)) throw unavailable(`It responds with the status ${statusCode}.`);
      url = nextUrl(url, message);
    }
    throw unavailable('It redirects too often.');
  } catch (error) {
    request.signal.throwIfAborted();
    if (error instanceof HubError) throw error;
    if (error instanceof RefusedAddressError)
      throw unavailable('The hub must not connect to its address.', error);
    throw unavailable(timeout.aborted ? 'It does not respond in time.' : 'It cannot be reached.', error);
  }
}

/** Creates the error; its message does not contain the address, which may include a password. */
export function unavailable(reason: string, cause?: unknown): HubError {
  return new HubError('live_unavailable', {
    message: `The camera does not show its picture. ${reason}`,
    cause,
  });
}

function nextUrl(url: URL, message: IncomingMessage): URL {
  const next = redirectTarget(url, message);
  if (next?.origin !== url.origin) throw unavailable('It redirects to another host, which is not followed.');
  next.username = url.username;
  next.password = url.password;
  return next;
}

async function sendAuthenticated(
  guard: ServiceGuard,
  url: URL,
  request: CameraRequest,
  timeout: AbortSignal,
): Promise<IncomingMessage> {
  const response = await send(guard, url, request, timeout);
  if (response.statusCode !== 401 || (url.username === '' && url.password === '')) return response;
  const { method = 'GET' } = request;
  const username = unescapePercents(url.username);
  const password = unescapePercents(url.password);
  const target = { method, path: url.pathname + url.search, username, password };
  const digest = digestAuthorization(response.headers['www-authenticate'], target);
  if (digest === undefined) return response;
  response.destroy();
  return send(guard, url, request, timeout, digest);
}

function send(
  guard: ServiceGuard,
  url: URL,
  { method, accept, body, range, signal }: CameraRequest,
  timeout: AbortSignal,
  authorization?: string,
): Promise<IncomingMessage> {
  const text = body && Buffer.from(body.text);
  return requestGuarded(url, {
    guard,
    signal,
    responseSignal: timeout,
    method,
    body: text,
    allowsSelfSigned: true,
    headers: {
      accept,
      ...(authorization !== undefined && { authorization }),
      ...(range !== undefined && { range }),
      ...(text && { 'content-type': body.type, 'content-length': text.length }),
    },
  });
}

/** Reads a body of limited size. @throws HubError live_unavailable when it is larger or takes too long */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const timer = setTimeout(() => response.destroy(new Error('timeout')), responseTimeoutMs);
  try {
    return await readLimited(response, maxBytes, () => unavailable('Its response is too large.'));
  } catch (error) {
    if (error instanceof HubError) throw error;
    throw unavailable('Its response was cut off.', error);
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}
