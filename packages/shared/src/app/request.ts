import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

const validRequestId = /^[\w.:-]{1,128}$/;
const yesValues: readonly unknown[] = ['1', 'true', 'yes'];

/** Returns the caller's `X-Request-Id` if it has a valid form, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** Whether a query parameter is `1`, `true` or `yes`. */
export function isYes(parameter: string | undefined): boolean {
  return yesValues.includes(parameter?.toLowerCase());
}

/**
 * Returns a signal that fires when the client disconnects before the response is sent. Fastify's own `request.signal`
 * also fires when the body has been read.
 */
export function whileAwaited({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}

/**
 * Returns the result of the work for a request. Nothing is sent when it fails after the client has disconnected, which
 * cancels it by the signal.
 */
export async function unlessDisconnected<T, Reply extends Pick<FastifyReply, 'raw' | 'hijack' | 'log'>>(
  reply: Reply,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal = whileAwaited(reply),
): Promise<T | Reply> {
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    reply.log.debug({ err: error }, 'request of a disconnected client dropped');
    reply.hijack();
    return reply;
  }
}

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const defaultPort = /:(?:80|443)$/;
/** Values of `Sec-Fetch-Site` of requests that were not caused by another site; only browsers send the header. */
const ownSites: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/** The origin of a request. */
export interface CrossSiteRequest {
  readonly method: string;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site' | 'sec-fetch-mode'>;
  /** The host name of the hub in the browser, from a trusted proxy or `Host`. */
  readonly host: string;
}

function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase().replace(defaultPort, '');
}

/**
 * Whether a browser sent this state-changing request on behalf of a page from another origin that is not allowed. Clients
 * other than browsers send neither `Origin` nor `Sec-Fetch-Site`.
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
 * Whether a page from another origin that is not allowed loads this as a subresource (`<img>`, `fetch`), as opposed to a
 * link that a user follows.
 */
export function isForeignLoad(
  { headers, host }: Pick<CrossSiteRequest, 'headers' | 'host'>,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (ownSites.has(site) || mode === 'navigate') return false;
  return origin === undefined || !(allowedOrigins.has(origin) || isOwnOrigin(origin, host));
}
