import type { FastifyRequest } from 'fastify';

const plainPath = /^(?:\/[\w.~-]+)+$/;

/** Returns the path below which callers reach the hub, as the gateway says; empty when that is the root. */
export function publicPrefix({ headers }: Pick<FastifyRequest, 'headers'>): string {
  const prefix = headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && plainPath.test(prefix) ? prefix : '';
}

/** Returns the address at which this request reached the hub, as the gateway says, without a slash at its end. */
export function requestAddress(request: Pick<FastifyRequest, 'headers'>): string {
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host, host: own } = request.headers;
  return `${protocol === 'https' ? 'https' : 'http'}://${host ?? own ?? 'localhost'}${publicPrefix(request)}`;
}

/**
 * Returns the address of the hub that others can reach, without a slash at its end: `baseUrl`, that of the settings, else
 * that of this request.
 */
export function publicAddress(request: Pick<FastifyRequest, 'headers'>, baseUrl: string): string {
  return baseUrl === '' ? requestAddress(request) : baseUrl.replace(/\/+$/, '');
}
