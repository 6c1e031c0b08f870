import type { HubApp } from '@birdhub/shared/app';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { addressKey } from '../access/address-key.js';
import { tooManyAttempts } from '../access/too-many-attempts.js';
import { createTurns } from './in-turn.js';
import { countAttempt, forgetAttempts } from './unlock-attempts.store.js';

/** Attempts at the password that may fail within a window, from one address at all gateways together. */
export const unlockWindow = { max: 5, windowMs: 60_000 } as const;

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
export async function createUnlockLimiter(app: HubApp, pool: pg.Pool): Promise<UnlockLimiter> {
  await app.register(rateLimit, { global: false, store: attemptStore(pool), keyGenerator: addressKey });
  const count = app.createRateLimit({ max: unlockWindow.max, timeWindow: unlockWindow.windowMs });
  const inTurn = createTurns();
  return (request, attempt) =>
    inTurn(addressKey(request), async () => {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) throw tooManyAttempts(counted.ttl);
      const result = await attempt();
      await forgetAttempts(pool, counted.key);
      return result;
    });
}
