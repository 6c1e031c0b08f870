import type pg from 'pg';
import type { Logger } from 'pino';
import { createKeyedQueue } from '../async/index.js';
import { HubError } from '../errors/index.js';
import { type Clock, systemClock } from '../time/index.js';
import { countAttempt } from './attempts.store.js';

/** Attempts at a secret that may fail within a window, from one address at all processes together. */
export const attemptWindow = { max: 5, windowMs: 60_000 } as const;

/** Addresses that are known to have to wait; more than that at once are told by the database alone. */
const maxWaitingAddresses = 10_000;

/** Says how long to wait; `ttlMs` is the time until the next attempt may be made. */
export function tooManyAttempts(ttlMs: number): HubError {
  return new HubError('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
}

/** What wrong tokens are counted with. */
export interface TokenAttemptsDeps {
  readonly pool: pg.Pool;
  readonly log: Logger;
  /** Tokens of each kind have a count of their own. */
  readonly kind: 'bearer' | 'processor';
  readonly clock?: Clock;
}

/**
 * Limits wrong tokens by the address they come from, as wrong passwords are: after so many failures within the window
 * an address has to wait, whatever it brings. The failures of all processes are counted in the database; a right token
 * costs no statement, as each process remembers whom it told to wait.
 */
export class TokenAttempts {
  readonly #deps: TokenAttemptsDeps;
  readonly #clock: Clock;
  readonly #enqueue = createKeyedQueue();
  /** By address, ms since the epoch until which it has to wait. */
  readonly #waitingUntil = new Map<string, number>();

  constructor(deps: TokenAttemptsDeps) {
    this.#deps = deps;
    this.#clock = deps.clock ?? systemClock;
  }

  /**
   * To be asked before a token is looked at.
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
   * Counts a wrong token; those of one address in turn, so that many at once find the limit as one by one.
   * @throws HubError too_many_attempts, when it was one too many
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
