import { randomBytes } from 'node:crypto';
import { type HubApp, access as rules } from '@birdhub/shared/app';
import type { PrismaClient } from '@birdhub/shared/db';
import { endSessions } from '@birdhub/shared/sessions';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Access } from '../access/access.js';
import { notKnownYet } from '../access/caller.js';
import { isProtected, type KnownPasswords, type Passwords } from '../access/passwords.js';
import {
  CheckAccessSchema,
  CsrfTokenSchema,
  LoggedOutSchema,
  PasswordBodySchema,
  RequiresPasswordSchema,
  UnlockedSchema,
} from './session.schema.js';
import { type CookiePlace, giveCookie, takeCookie, tokensIn } from './session-cookie.js';
import { unlock } from './unlock.js';
import { createUnlockLimiter } from './unlock-limiter.js';

/** What the routes of locking and unlocking work with. */
export interface SessionOptions {
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
      'For clients that send one. The hub tells requests of other sites by `Origin` and `Sec-Fetch-Site`, so the ' +
      'token is accepted in every header and never required.',
    response: { 200: CsrfTokenSchema },
  },
  verify: {
    ...common,
    operationId: 'verifyPassword',
    summary: 'Unlock the hub with a password',
    description: 'After five failures within a minute an address has to wait, whatever it sends.',
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

/** @throws HubError starting, while it is not known whether there are passwords */
async function knownPasswords(passwords: KnownPasswords): Promise<Passwords> {
  await passwords.pending();
  const known = passwords.now();
  if (!known) throw notKnownYet();
  return known;
}

async function routesOf(app: HubApp, options: SessionOptions): Promise<void> {
  const { pool, prisma, passwords, access, prefixOf } = options;
  const limit = await createUnlockLimiter(app, options);
  const placeOf = (request: FastifyRequest): CookiePlace => ({
    prefix: prefixOf(request),
    isHttps: request.protocol === 'https',
  });
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store');
    done();
  });

  app.get('/requires-password', { schema: schemas.requires }, async () => {
    const known = await knownPasswords(passwords);
    return { requires: isProtected(known), has_contributor_tier: known.contributor !== '' };
  });

  app.post('/verify-password', { schema: schemas.verify }, async (request, reply) => {
    if (!isProtected(await knownPasswords(passwords))) return { ok: true, role: 'admin' } as const;
    const { role, token } = await limit(request, () =>
      unlock({ pool, passwords }, request.body.password, tokensIn(request.headers.cookie)),
    );
    reply.header('set-cookie', giveCookie(token, placeOf(request)));
    return { ok: true, role } as const;
  });

  app.get('/check-access', { schema: schemas.check }, async (request) => {
    const visitor = await Promise.resolve(access.identify(request)).catch((error: unknown) => {
      // Always answered: who cannot be looked up has unlocked nothing.
      request.log.warn({ err: error }, 'session not looked up');
      return 'unknown' as const;
    });
    if (visitor === 'unprotected') return { unlocked: true, role: 'admin' } as const;
    const isUnlocked = visitor === 'admin' || visitor === 'contributor';
    return isUnlocked ? { unlocked: true, role: visitor } : { unlocked: false };
  });

  app.post('/logout', { schema: schemas.logout }, async (request, reply) => {
    const tokens = tokensIn(request.headers.cookie);
    if (tokens.length) await endSessions(prisma, tokens);
    reply.header('set-cookie', takeCookie(placeOf(request)));
    return { ok: true } as const;
  });
}

/** `GET requires-password`, `POST verify-password`, `GET check-access`, `POST logout` below `/api/ui/settings` */
export function sessionRoutes(app: HubApp, options: SessionOptions): void {
  const prefix = `${options.basePath}/api/ui/settings`;
  app.register(async (routes: HubApp) => routesOf(routes, options), { prefix });
  app.get(`${options.basePath}/api/ui/csrf-token`, { schema: schemas.csrfToken }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return { csrf_token: randomBytes(24).toString('base64url') };
  });
}
