import type { HubApp } from '@birdhub/shared/app';
import { createKeyedQueue } from '@birdhub/shared/async';
import {
  addressKey,
  attemptWindow,
  countAttempt,
  forgetAttempts,
  tooManyAttempts,
} from '@birdhub/shared/attempts';
import type { Database } from '@birdhub/shared/db';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';

/** Runs an attempt to unlock, whose success clears the count of its address. */
export type UnlockLimiter = <T>(request: FastifyRequest, attempt: () => Promise<T>) => Promise<T>;

/** Where the rate limiter counts: in the database, which all gateways share. */
function attemptStore(pool: pg.Pool): FastifyRateLimitStoreCtor {
  return class AttemptStore implements FastifyRateLimitStore {
    incr(
      address: string,
      answer: Parameters<FastifyRateLimitStore['incr']>[1],
      windowMs: number,
      max: number,
    ): void {
      countAttempt(pool, address, { max, windowMs }).then((count) => answer(null, count), answer);
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}

/**
 * Limits attempts to unlock, and throws `too_many_attempts` without making one that is too many. An attempt counts
 * from its beginning, and those of one address are made in turn: so many at once find the limit as one by one.
 */
export async function createUnlockLimiter(
  app: HubApp,
  { pool, prisma }: Pick<Database, 'pool' | 'prisma'>,
): Promise<UnlockLimiter> {
  await app.register(rateLimit, { global: false, store: attemptStore(pool), keyGenerator: addressKey });
  const count = app.createRateLimit({ max: attemptWindow.max, timeWindow: attemptWindow.windowMs });
  const enqueue = createKeyedQueue();
  return (request, attempt) =>
    enqueue(addressKey(request), async () => {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) throw tooManyAttempts(counted.ttl);
      const result = await attempt();
      await forgetAttempts(prisma, counted.key);
      return result;
    });
}
