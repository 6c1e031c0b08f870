import type { FastifyRequest } from 'fastify';

const plainPath = /^(?:\/[\w.~-]+)+$/;

/** The path below which callers reach the hub, as the gateway says; empty when that is the root. */
export function publicPrefix(request: Pick<FastifyRequest, 'headers'>): string {
  const prefix = request.headers['x-forwarded-prefix'];
  return typeof prefix === 'string' && plainPath.test(prefix) ? prefix : '';
}
