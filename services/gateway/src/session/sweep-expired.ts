import { removeExpiredSessions } from '@birdhub/shared/sessions';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { KnownPasswords } from '../access/passwords.js';
import { removeOldAttempts } from './unlock-attempts.store.js';
import { unlockWindow } from './unlock-limiter.js';

/** What clearing away works with. */
export interface SweepOptions {
  readonly pool: pg.Pool;
  readonly passwords: Pick<KnownPasswords, 'now'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Clears expired sessions and old attempts away now and again; answers what ends that. */
export function sweepExpired({ pool, passwords, log, everyMs = 600_000 }: SweepOptions): () => void {
  async function sweep(): Promise<void> {
    try {
      await removeExpiredSessions(pool, passwords.now()?.idleMinutes ?? 0);
      await removeOldAttempts(pool, unlockWindow.windowMs);
    } catch (error) {
      log.warn({ err: error }, 'expired sessions not cleared away, trying again later');
    }
  }

  const timer = setInterval(() => void sweep(), everyMs).unref();
  return () => clearInterval(timer);
}
