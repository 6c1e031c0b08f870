import { isIP } from 'node:net';
import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Logger } from 'pino';
import { createKeyedQueue } from '../async/index.js';
import { HubError } from '../errors/index.js';
import { type Clock, systemClock } from '../time/index.js';
import { countAttempt } from './attempts.store.js';

const withPort = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>\d+(?:\.\d+){3}))(?::\d+)?$/;

/** How many attempts at a secret may fail within a window, per address and for all processes together. */
export const attemptWindow = { max: 5, windowMs: 60_000 } as const;

/** Size of the cache of addresses that have to wait; for others the database decides. */
const maxWaitingAddresses = 10_000;

/** Returns a `too_many_attempts`; `ttlMs` is the time until the next attempt is allowed. */
export function tooManyAttempts(ttlMs: number): HubError {
  return new HubError('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
}

/** What the limit of wrong tokens needs. */
export interface TokenAttemptsDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Each kind is counted separately. */
  readonly kind: 'bearer' | 'processor';
  readonly clock?: Clock;
}

/**
 * Limits wrong tokens per address, as wrong passwords are: after too many failures within the window the address has
 * to wait, even with a valid token. Failures of all processes are counted in the database; a valid token costs no
 * statement, as each process caches which addresses have to wait.
 */
export class TokenAttempts {
  readonly #deps: TokenAttemptsDeps;
  readonly #clock: Clock;
  readonly #enqueue = createKeyedQueue();
  /** Address to the instant (ms) until which it has to wait. */
  readonly #waitingUntil = new Map<string, number>();

  constructor(deps: TokenAttemptsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  /**
   * Called before a token is checked.
   * @throws HubError too_many_attempts, while the address has to wait
   */
  requireNoWait(address: string): void {
    const until = this.#waitingUntil.get(address);
    if (until === undefined) return;
    const leftMs = until - this.#clock.now();
    if (leftMs > 0) throw tooManyAttempts(leftMs);
    this.#waitingUntil.delete(address);
  }

  /**
   * Counts a wrong token; those of one address one after the other, so that concurrent ones do not pass the limit.
   * @throws HubError too_many_attempts, when the limit is exceeded
   */
  async countFailure(address: string): Promise<void> {
    const { pool, log, kind } = this.#deps;
    await this.#enqueue(address, async () => {
      this.requireNoWait(address);
      try {
        const { current, ttl } = await countAttempt(pool, `${kind} ${address}`, attemptWindow);
        if (current >= attemptWindow.max) this.#wait(address, ttl);
        if (current > attemptWindow.max) throw tooManyAttempts(ttl);
      } catch (error) {
        if (error instanceof HubError) throw error;
        log.warn({ err: error, kind }, 'wrong token not counted');
        // Guesses must not be free while the database is away.
        this.#wait(address, attemptWindow.windowMs / attemptWindow.max);
      }
    });
  }

  #wait(address: string, ttlMs: number): void {
    const [oldest] = this.#waitingUntil.keys();
    if (oldest !== undefined && this.#waitingUntil.size >= maxWaitingAddresses) {
      this.#waitingUntil.delete(oldest);
    }
    this.#waitingUntil.set(address, this.#clock.now() + ttlMs);
  }
}

/**
 * Returns the key that attempts are counted by: the client's address, for IPv6 its /64. Some proxies append a port;
 * everything that is not an address shares one key.
 */
export function addressKey({ ip }: Pick<FastifyRequest, 'ip'>): string {
  const { v4, v6 } = withPort.exec(ip)?.groups ?? {};
  const address = v4 ?? v6 ?? ip;
  return isIP(address) ? normalizeIP(address) : 'unknown';
}
