import { isSameSecret } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';

/** A hook that asks a processor for its token, when one is configured. */
export function requireProcessor(secret: string | undefined) {
  return async (request: FastifyRequest): Promise<void> => {
    if (secret === undefined) return;
    const given = request.headers['x-processor-token'];
    if (typeof given !== 'string' || !isSameSecret(given, secret)) throw new HubError('forbidden');
  };
}
