import type { HubApp } from '@birdhub/shared/app';
import { addressKey, tooManyAttempts } from '@birdhub/shared/attempts';
import type { Operation } from '@birdhub/shared/contract';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';

/** Makes the application mind the limits of its routes, which each gateway counts for itself. */
export async function registerLimits(app: HubApp): Promise<void> {
  await app.register(rateLimit, {
    global: false,
    keyGenerator: addressKey,
    errorResponseBuilder: (_request, { ttl }) => tooManyAttempts(ttl),
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': false,
    },
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
  });
}

/** How often one address may call an operation, as a route's `config`. */
export function limitOf({ limit }: Pick<Operation, 'limit'>): { rateLimit?: RateLimitOptions } {
  return limit ? { rateLimit: { max: limit.max, timeWindow: limit.windowSeconds * 1000 } } : {};
}
