import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

const validRequestId = /^[\w.:-]{1,128}$/;
const affirmations: readonly unknown[] = ['1', 'true', 'yes'];

/** Returns the caller's `X-Request-Id` when it is a plain token, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** Whether a query parameter is `1`, `true` or `yes`. */
export function isYes(parameter: string | undefined): boolean {
  return affirmations.includes(parameter?.toLowerCase());
}

/**
 * Returns a signal that fires when the client disconnects before the response is sent. Fastify's own `request.signal`
 * fires as soon as a body was read to its end.
 */
export function whileAwaited({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const usualPort = /:(?:80|443)$/;
/** Values of `Sec-Fetch-Site` of requests that no page of another site caused; only browsers send the header. */
const ownSites: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/** The origin of a request. */
export interface CrossSiteRequest {
  readonly method: string;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site' | 'sec-fetch-mode'>;
  /** The host name of the hub in the browser, from a trusted proxy or `Host`. */
  readonly host: string;
}

function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase().replace(usualPort, '');
}

/**
 * Whether a browser sends this state-changing request for a page of a foreign origin that is not allowed. Other clients
 * send neither `Origin` nor `Sec-Fetch-Site`.
 */
export function isCrossSite(
  { method, headers, host }: CrossSiteRequest,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  if (safeMethods.has(method)) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  if (site === 'cross-site') return true;
  return origin === undefined ? !ownSites.has(site) : !isOwnOrigin(origin, host);
}

/**
 * Whether a page of a foreign origin that is not allowed loads this as a subresource (`<img>`, `fetch`), not through a
 * link that a person follows.
 */
export function isForeignLoad(
  { headers, host }: Pick<CrossSiteRequest, 'headers' | 'host'>,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (ownSites.has(site) || mode === 'navigate') return false;
  return origin === undefined || !(allowedOrigins.has(origin) || isOwnOrigin(origin, host));
}
