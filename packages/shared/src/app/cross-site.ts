import type { IncomingHttpHeaders } from 'node:http';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const usualPort = /:(?:80|443)$/;
/** What browsers say of requests that no page of another site caused; other clients say nothing. */
const ownSites: ReadonlySet<unknown> = new Set([undefined, 'same-origin', 'none']);

/** What is known of where a request comes from. */
export interface CrossSiteRequest {
  readonly method: string;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site' | 'sec-fetch-mode'>;
  /** The name the browser knows the hub by, as the trusted proxy or `Host` says. */
  readonly host: string;
}

function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase().replace(usualPort, '');
}

/**
 * Whether a browser sends this state-changing request for a page of another site, other than the allowed origins.
 * Clients that are no browsers send neither `Origin` nor `Sec-Fetch-Site`, and are of no site.
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
 * Whether a page of another site, other than the allowed origins, loads this by itself, as by `<img>` or `fetch`; a
 * link that a person follows is none.
 */
export function isForeignLoad(
  { headers, host }: Pick<CrossSiteRequest, 'headers' | 'host'>,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (ownSites.has(site) || mode === 'navigate') return false;
  return origin === undefined || !(allowedOrigins.has(origin) || isOwnOrigin(origin, host));
}
