import type { ClientLimits, HubApp } from '@birdhub/shared/app';
import { addressKey, tooManyAttempts } from '@birdhub/shared/attempts';
import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit';
import type { Operation } from '../contract/index.js';

/** Limits for the clients of the gateway. */
export interface ClientLimitOptions {
  /** Maximum time in which a client reads nothing of a response, or sends hardly anything of a body. */
  readonly clientStallTimeoutMs: number;
  readonly maxConnectionsPerAddress: number;
  /** Whether a peer is a proxy, whose connections belong to many clients. */
  readonly isTrusted: (address: string | undefined) => boolean;
}

/** Returns the connection limits, counted per address, for IPv6 per /64. */
export function connectionLimitsOf(options: ClientLimitOptions): ClientLimits {
  const { clientStallTimeoutMs, maxConnectionsPerAddress, isTrusted } = options;
  return {
    readStallTimeoutMs: clientStallTimeoutMs,
    bodyWindowMs: clientStallTimeoutMs,
    maxConnectionsPerKey: maxConnectionsPerAddress,
    connectionKey: (address) => (isTrusted(address) ? undefined : addressKey({ ip: address })),
  };
}

/** Enables the limits of {@link rateLimitOf} in an application; each gateway counts separately. */
export async function registerRateLimits(app: HubApp): Promise<void> {
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

/** Returns the rate limit of an operation per address, as a route's `config`. */
export function rateLimitOf({ limit }: Pick<Operation, 'limit'>): { rateLimit?: RateLimitOptions } {
  return limit ? { rateLimit: { max: limit.max, timeWindow: limit.windowSeconds * 1000 } } : {};
}
