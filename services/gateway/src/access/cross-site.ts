import type { IncomingHttpHeaders } from 'node:http';

const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);
const usualPort = /:(?:80|443)$/;

/** What is known of where a request comes from. */
export interface CrossSiteRequest {
  readonly method: string;
  readonly headers: Pick<IncomingHttpHeaders, 'origin' | 'sec-fetch-site'>;
  /** The name the browser knows the hub by, as the trusted proxy or `Host` says. */
  readonly host: string;
}

function isOwnOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase().replace(usualPort, '');
}

/** Whether a browser sends this for a page of another site, other than the origins that are allowed to. */
export function isCrossSite(
  { method, headers, host }: CrossSiteRequest,
  allowedOrigins: ReadonlySet<string>,
): boolean {
  if (safeMethods.has(method)) return false;
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowedOrigins.has(origin)) return false;
  if (site === 'cross-site') return true;
  return origin !== undefined && !isOwnOrigin(origin, host);
}
