import { createLoop, type Loop } from '@birdhub/shared/async';
import { attemptWindow, removeOldAttempts } from '@birdhub/shared/attempts';
import type { PrismaClient } from '@birdhub/shared/db';
import { removeExpiredSessions } from '@birdhub/shared/sessions';
import type { Logger } from 'pino';
import type { KnownPasswords } from '../access/passwords.js';

/** What clearing away works with. */
export interface SweepOptions {
  readonly prisma: PrismaClient;
  readonly passwords: Pick<KnownPasswords, 'now'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Clears expired sessions and old attempts away now and again. Returns the loop that does, started. */
export function sweepExpired({
  prisma,
  passwords,
  log,
  everyMs = 600_000,
}: SweepOptions): Pick<Loop, 'stop'> {
  const loop = createLoop({
    firstAfterMs: everyMs,
    everyMs,
    async work() {
      await removeExpiredSessions(prisma, passwords.now()?.idleMinutes ?? 0);
      await removeOldAttempts(prisma, attemptWindow.windowMs);
    },
    onError: (error) => log.warn({ err: error }, 'expired sessions not cleared away, trying again later'),
  });
  loop.start();
  return loop;
}
