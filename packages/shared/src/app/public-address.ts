import type { FastifyRequest } from 'fastify';

const plainPath = /^(?:\/[\w.~-]+)+$/;

/** Returns the path below which callers reach the hub, as the gateway says; empty when that is the root. */
export function publicPrefix({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const prefix = headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && plainPath.test(prefix) ? prefix : '';
}

/**
 * Returns the address of the hub that others can reach, without a slash at its end: `baseUrl`, that of the settings, else
 * the one at which this request reached the hub, as the gateway says.
 */
export function publicAddress(request: Pick<FastifyRequest, 'headers'>, baseUrl: string): string {
  if (baseUrl !== '') return baseUrl.replace(/\/+$/, '');
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host, host: own } = request.headers;
  return `${protocol === 'https' ? 'https' : 'http'}://${host ?? own ?? 'localhost'}${publicPrefix(request)}`;
}
