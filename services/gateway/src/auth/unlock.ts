import { replacePasswordHash } from '@birdhub/domain/settings';
import type { HubApp } from '@birdhub/shared/app';
import { createKeyedQueue } from '@birdhub/shared/async';
import {
  addressKey,
  attemptWindow,
  countAttempt,
  forgetAttempts,
  forgetLatestAttempt,
  tooManyAttempts,
} from '@birdhub/shared/attempts';
import type { Database } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { hashPassword, needsRehash, verifyPassword } from '@birdhub/shared/passwords';
import { openSession, type SessionRole } from '@birdhub/shared/sessions';
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { KnownPasswords, StoredPasswords } from './passwords.js';

const maxTries = 3;

/** Dependencies of {@link unlock}. */
export interface UnlockDeps {
  readonly pool: pg.Pool;
  readonly passwords: KnownPasswords;
}

/**
 * Opens a session for a password and replaces previous sessions of the browser.
 * @throws HubError wrong_password, conflict when the passwords keep changing meanwhile
 */
export async function unlock(
  { pool, passwords }: UnlockDeps,
  text: string,
  replacedTokens: readonly string[],
): Promise<{ role: SessionRole; token: string }> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const stored = passwords.current();
    const role = stored && (await matchPassword(text, stored));
    if (!role) throw new HubError('wrong_password');
    const storedPassword = stored[role];
    const token = await openSession(pool, { role, storedPassword, replacedTokens });
    if (token !== undefined) {
      await renewHash(pool, role, storedPassword, text);
      return { role, token };
    }
    // The password or its hash was replaced since it was read.
    await passwords.refresh();
  }
  throw new HubError('conflict');
}

/** Returns the role with this password, in constant time whichever passwords are set. */
async function matchPassword(text: string, stored: StoredPasswords): Promise<SessionRole | undefined> {
  const isAdmin = await verifyPassword(stored.admin, text);
  const isContributor = await verifyPassword(stored.contributor, text);
  if (isAdmin) return 'admin';
  return isContributor ? 'contributor' : undefined;
}

async function renewHash(pool: pg.Pool, role: SessionRole, stored: string, text: string): Promise<void> {
  if (needsRehash(stored)) await replacePasswordHash(pool, { role, stored, hash: await hashPassword(text) });
}

/** Runs an attempt to unlock; see {@link createUnlockLimiter}. */
export type UnlockLimiter = <T extends { readonly role: SessionRole }>(
  request: FastifyRequest,
  attempt: () => Promise<T>,
) => Promise<T>;

/**
 * Limits attempts to unlock: an attempt above the limit is rejected with `too_many_attempts`. Attempts are counted when
 * they start, and those of one address are serialised, so that parallel ones share the limit. The password of an
 * administrator resets the count. That of a contributor does not: contributors could otherwise guess the administrator's
 * password without limit.
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
      if (result.role === 'admin') await forgetAttempts(prisma, counted.key);
      else await forgetLatestAttempt(pool, counted.key);
      return result;
    });
}

/** Stores the rate limiter in the database, which all gateways share. */
function attemptStore(pool: pg.Pool): FastifyRateLimitStoreCtor {
  return class AttemptStore implements FastifyRateLimitStore {
    incr(
      address: string,
      callback: Parameters<FastifyRateLimitStore['incr']>[1],
      windowMs: number,
      max: number,
    ): void {
      countAttempt(pool, address, { max, windowMs }).then((count) => callback(null, count), callback);
    }

    child(): FastifyRateLimitStore {
      return this;
    }
  };
}
