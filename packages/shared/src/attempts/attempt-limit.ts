import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { BoundedMap, createKeyedQueue } from '../async/index.js';
import { HubError } from '../errors/index.js';
import { type Clock, systemClock } from '../time/index.js';
import { countAttempt } from './attempts.store.js';

const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+(?:\.\d+){3}))(?::\d+)?$/;

/** Maximum failed attempts at a secret within a window, per address and across all processes. */
export const attemptWindow = { max: 5, windowMs: 60_000 } as const;

/** Size of the cache of blocked addresses; other addresses are checked in the database. */
const maxBlockedAddresses = 10_000;

/** Returns the error `too_many_attempts`; `ttlMs` is the time until the next attempt is allowed. */
export function tooManyAttempts(ttlMs: number): HubError {
  return new HubError('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
}

/** Dependencies of {@link TokenAttempts}. */
export interface TokenAttemptsDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** The kind of token; each is counted separately. */
  readonly kind: 'bearer' | 'processor';
  readonly clock?: Clock;
}

/**
 * Limits wrong tokens per address, like wrong passwords: after too many failures within the window the address is
 * blocked, even with the right secret. Failures of all processes are counted in the database. Valid tokens need no query, as
 * each process caches the blocked addresses.
 */
export class TokenAttempts {
  readonly #deps: TokenAttemptsDeps;
  readonly #clock: Clock;
  readonly #enqueue = createKeyedQueue();
  /** The ends of the blocks by address, in ms since the epoch. */
  readonly #waitingUntil = new BoundedMap<string, number>(maxBlockedAddresses);

  constructor(deps: TokenAttemptsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  /** Must be called before a token is compared with a secret. @throws HubError too_many_attempts while the address is blocked */
  requireNotBlocked(address: string): void {
    const until = this.#waitingUntil.get(address);
    if (until === undefined) return;
    const leftMs = until - this.#clock.now();
    if (leftMs > 0) throw tooManyAttempts(leftMs);
    this.#waitingUntil.delete(address);
  }

  /**
   * Counts a wrong token; serialised per address, so that concurrent ones cannot exceed the limit.
   * @throws HubError too_many_attempts when the limit is exceeded
   */
  async countFailure(address: string): Promise<void> {
    const { pool, log, kind } = this.#deps;
    await this.#enqueue(address, async () => {
      this.requireNotBlocked(address);
      try {
        const { current, ttl } = await countAttempt(pool, `${kind} ${address}`, attemptWindow);
        if (current >= attemptWindow.max) this.#wait(address, ttl);
        if (current > attemptWindow.max) throw tooManyAttempts(ttl);
      } catch (error) {
        if (error instanceof HubError) throw error;
        log.warn({ err: error, kind }, 'wrong token not counted');
        // Guesses must be limited even while the database is unavailable.
        this.#wait(address, attemptWindow.windowMs / attemptWindow.max);
      }
    });
  }

  #wait(address: string, ttlMs: number): void {
    this.#waitingUntil.set(address, this.#clock.now() + ttlMs);
  }
}

/**
 * Returns the key by which attempts are counted: the client's address, or its /64 network for IPv6. A port appended by a
 * proxy is removed; all values that are not addresses share one key.
 */
export function addressKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const { v4, v6 } = withPort.exec(ip)?.groups ?? {};
  const address = v4 ?? v6 ?? ip;
  return isIP(address) ? normalizeIP(address) : 'unknown';
}

/**
 * Returns the {@link addressKey} of the client of a request that came through the gateway, which names it. Only for
 * routes that accept requests from the gateway alone.
 */
export function forwardedKey(request: Pick<FastifyRequest, 'ip' | 'headers'>): string {
  const forwarded = request.headers['x-forwarded-for'];
  return addressKey(typeof forwarded === 'string' ? { ip: forwarded } : request);
}
