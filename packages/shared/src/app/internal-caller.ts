import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../errors/index.js';

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Whether two secrets are the same, in a time that tells nothing of either. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

/** A hook that refuses requests that did not come through the gateway. */
export function requireInternal(secret: string) {
  return async (request: FastifyRequest): Promise<void> => {
    const given = request.headers['x-hub-internal'];
    if (typeof given !== 'string' || !isSameSecret(given, secret)) throw new HubError('forbidden');
  };
}
