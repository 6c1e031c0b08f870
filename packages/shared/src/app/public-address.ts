import type { FastifyRequest } from 'fastify';

const plainPath = /^(?:\/[\w.~-]+)+$/;

/** Returns the path prefix of the hub, as set by the gateway; empty for the root. */
export function publicPrefix({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const prefix = headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && plainPath.test(prefix) ? prefix : '';
}

/**
 * Returns the public URL of the hub without a trailing slash: `baseUrl` from the settings, or the URL through which this
 * request reached the hub, as set by the gateway.
 */
export function publicAddress(request: Pick<FastifyRequest, 'headers'>, baseUrl: string): string {
  if (baseUrl !== '') return baseUrl.replace(/\/+$/, '');
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host, host: own } = request.headers;
  return `${protocol === 'https' ? 'https' : 'http'}://${host ?? own ?? 'localhost'}${publicPrefix(request)}`;
}
