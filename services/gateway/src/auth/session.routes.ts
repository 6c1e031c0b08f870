import { randomBytes } from 'node:crypto';
import { type HubApp, access as rules } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { endSessions } from '@birdhub/shared/sessions';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { type Access, passwordsNotRead } from './access.js';
import { isProtected, type KnownPasswords, type StoredPasswords } from './passwords.js';
import {
  CheckAccessSchema,
  CsrfTokenSchema,
  LoggedOutSchema,
  PasswordBodySchema,
  RequiresPasswordSchema,
  UnlockedSchema,
} from './session.schema.js';
import { type CookiePlace, clearSessionCookie, setSessionCookie, tokensIn } from './sessions.js';
import { createUnlockLimiter, unlock } from './unlock.js';

/** Dependencies of these routes. */
export interface SessionDeps {
  readonly basePath: string;
  readonly prefixOf: (request: FastifyRequest) => string;
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly passwords: KnownPasswords;
  readonly access: Pick<Access, 'identify'>;
}

const common = { tags: ['access'], security: rules.open };

const schemas = {
  requires: {
    ...common,
    operationId: 'requiresPassword',
    summary: 'Get whether a password is required',
    response: { 200: RequiresPasswordSchema },
  },
  csrfToken: {
    ...common,
    operationId: 'getCsrfToken',
    summary: 'Get a CSRF token',
    description:
      'For clients that send a CSRF token. The hub detects cross-site requests by `Origin` and ' +
      '`Sec-Fetch-Site`, so the token is accepted in any header and is never required.',
    response: { 200: CsrfTokenSchema },
  },
  verify: {
    ...common,
    operationId: 'verifyPassword',
    summary: 'Unlock the hub with a password',
    description:
      'After five failed attempts from an address within one minute, further attempts from it are rejected ' +
      'for a while, even with the correct password.',
    body: PasswordBodySchema,
    response: { 200: UnlockedSchema },
  },
  check: {
    ...common,
    operationId: 'checkAccess',
    summary: "Get the caller's role",
    response: { 200: CheckAccessSchema },
  },
  logout: {
    ...common,
    operationId: 'logout',
    summary: 'Lock the hub for this browser',
    response: { 200: LoggedOutSchema },
  },
};

/** `GET requires-password`, `POST verify-password`, `GET check-access`, `POST logout` below `/api/ui/settings` */
export function sessionRoutes(app: HubApp, deps: SessionDeps): void {
  const prefix = `${deps.basePath}/api/ui/settings`;
  app.register(async (routes: HubApp) => registerRoutes(routes, deps), { prefix });
  app.get(`${deps.basePath}/api/ui/csrf-token`, { schema: schemas.csrfToken }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { csrf_token: randomBytes(24).toString('base64url') };
  });
}

async function registerRoutes(app: HubApp, deps: SessionDeps): Promise<void> {
  const { pool, prisma, passwords, access, prefixOf } = deps;
  const limit = await createUnlockLimiter(app, deps);
  const placeOf = (request: FastifyRequest): CookiePlace => ({
    prefix: prefixOf(request),
    isHttps: request.protocol === 'https',
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });

  app.get('/requires-password', { schema: schemas.requires }, async () => {
    const stored = await requirePasswords(passwords);
    return { requires: isProtected(stored), has_contributor_tier: stored.contributor !== '' };
  });

  app.post('/verify-password', { schema: schemas.verify }, async (request, reply) => {
    if (!isProtected(await requirePasswords(passwords))) return { ok: true, role: 'admin' } as const;
    const { role, token } = await limit(request, () =>
      unlock({ pool, passwords }, request.body.password, tokensIn(request.headers.cookie)),
    );
    reply.header('set-cookie', setSessionCookie(token, placeOf(request)));
    return { ok: true, role } as const;
  });

  app.get('/check-access', { schema: schemas.check }, async (request) => {
    const identity = await Promise.resolve(access.identify(request)).catch((error: unknown) => {
      // The route never fails: an error of the lookup counts as no session.
      request.log.warn({ err: error }, 'session lookup failed');
      return 'unknown' as const;
    });
    if (identity === 'unprotected') return { unlocked: true, role: 'admin' } as const;
    const isUnlocked = identity === 'admin' || identity === 'contributor';
    return isUnlocked ? { unlocked: true, role: identity } : { unlocked: false };
  });

  app.post('/logout', { schema: schemas.logout }, async (request, reply) => {
    const tokens = tokensIn(request.headers.cookie);
    if (tokens.length) await endSessions(prisma, tokens);
    reply.header('set-cookie', clearSessionCookie(placeOf(request)));
    return { ok: true } as const;
  });
}

/** Returns the passwords. @throws HubError starting until they were read */
async function requirePasswords(passwords: KnownPasswords): Promise<StoredPasswords> {
  await passwords.pending();
  const stored = passwords.current();
  if (!stored) throw passwordsNotRead();
  return stored;
}
