import { createLoop, type Loop } from '@birdhub/shared/async';
import { attemptWindow, removeOldAttempts } from '@birdhub/shared/attempts';
import type { PrismaClient } from '@birdhub/shared/db';
import { removeExpiredSessions, sessionCookie, sessionDays } from '@birdhub/shared/sessions';
import type { Clock } from '@birdhub/shared/time';
import { fastifyCookie } from '@fastify/cookie';
import type { Logger } from 'pino';
import type { KnownPasswords } from './passwords.js';

const maxAgeSeconds = sessionDays * 86_400;
const maxTokens = 4;
const nameAndSign = `${sessionCookie}=`;

/** Scope of a cookie: the path of the hub in the browser, and whether it uses HTTPS. */
export interface CookiePlace {
  readonly prefix: string;
  readonly isHttps: boolean;
}

/** Returns the session tokens of a `Cookie` header; several when hubs are nested below each other's path. */
export function tokensIn(header: string | undefined): readonly string[] {
  if (header === undefined || !header.includes(nameAndSign)) return [];
  const cookies = header.split(';').map((cookie) => cookie.trim());
  const tokens = cookies.filter((cookie) => cookie.startsWith(nameAndSign));
  return tokens.slice(0, maxTokens).map((cookie) => cookie.slice(nameAndSign.length));
}

/** Returns the `Set-Cookie` that stores a token in the browser. */
export function setSessionCookie(token: string, place: CookiePlace): string {
  return serialize(token, maxAgeSeconds, place);
}

/** Returns the `Set-Cookie` that removes the token from the browser. */
export function clearSessionCookie(place: CookiePlace): string {
  return serialize('', 0, place);
}

function serialize(value: string, maxAge: number, { prefix, isHttps }: CookiePlace): string {
  const path = prefix || '/';
  return fastifyCookie.serialize(sessionCookie, value, {
    httpOnly: true,
    sameSite: 'strict',
    secure: isHttps,
    path,
    maxAge,
  });
}

/** Dependencies of the deletion of expired rows. */
export interface SweepDeps {
  readonly prisma: PrismaClient;
  readonly passwords: Pick<KnownPasswords, 'current'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly everyMs?: number;
}

/** Starts a loop that deletes expired sessions and old attempts, and returns it. */
export function sweepExpired({
  prisma,
  passwords,
  clock,
  log,
  everyMs = 600_000,
}: SweepDeps): Pick<Loop, 'stop'> {
  const loop = createLoop({
    firstAfterMs: everyMs,
    everyMs,
    async work() {
      const now = clock.now();
      await removeExpiredSessions(prisma, passwords.current()?.idleMinutes ?? 0, now);
      await removeOldAttempts(prisma, attemptWindow.windowMs, now);
    },
    onError: (error) => log.warn({ err: error }, 'expired sessions not deleted, trying again later'),
  });
  loop.start();
  return loop;
}
