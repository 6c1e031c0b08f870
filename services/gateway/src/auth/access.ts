import type { IncomingHttpHeaders } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  type AccessRule,
  access,
  type CallerRole,
  type HubApp,
  isCrossSite,
  isSameSecret,
  type TokenScope,
} from '@birdhub/shared/app';
import { addressKey, type TokenAttempts } from '@birdhub/shared/attempts';
import { type ErrorCode, HubError } from '@birdhub/shared/errors';
import { findSession } from '@birdhub/shared/sessions';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type pg from 'pg';
import type { Operation, Security } from '../contract/index.js';
import { isProtected, type KnownPasswords } from './passwords.js';
import { tokensIn } from './sessions.js';
import { type AccessTokens, isTokenText } from './tokens.js';
import type { StoredToken } from './tokens.store.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request carries the token of `MCP_TOKEN`. */
    hasMcpToken: boolean;
    /** The access token of the request, which alone decides what it may do. */
    accessToken: StoredToken | undefined;
    /** The role in which the request is forwarded, set by {@link Access.guard}. */
    caller: CallerRole;
  }
}

/**
 * The identity of a client: `unprotected` while no password is set, `unknown` until the passwords were read, `mcp` with
 * the token of `MCP_TOKEN`.
 */
export type Identity = 'unknown' | 'unprotected' | 'locked' | 'contributor' | 'admin' | 'mcp';

/** Dependencies of {@link Access}. */
export interface AccessDeps {
  readonly pool: pg.Pool;
  readonly passwords: KnownPasswords;
  readonly tokens: Pick<AccessTokens, 'find'>;
  readonly mcpToken: string | undefined;
}

/**
 * Identifies clients and guards operations. Sessions are looked up for each request, so that ending one takes effect at
 * all gateways immediately.
 */
export class Access {
  readonly #deps: AccessDeps;

  constructor(deps: AccessDeps) {
    this.#deps = deps;
  }

  /** Identifies a client; queries the database only if a password is set and the request has a session cookie. */
  identify(request: FastifyRequest): Identity | Promise<Identity> {
    if (request.accessToken) return roleOfToken(request.accessToken.scopes);
    const pending = this.#deps.passwords.pending();
    return pending ? pending.then(() => this.#identifyNow(request)) : this.#identifyNow(request);
  }

  /** Returns a hook that sets `request.caller`, or rejects the request before its body is read. */
  guard(operation: Pick<Operation, 'operationId' | 'security'>): onRequestHookHandler {
    const rule = ruleOf(operation);
    return (request, _reply, done) => {
      if (request.accessToken) {
        request.caller = authorizeToken(rule, request.accessToken.scopes);
        done();
        return undefined;
      }
      const identity = rule === 'processor' ? 'unknown' : this.identify(request);
      if (typeof identity !== 'string') {
        return identity.then((known) => {
          request.caller = authorize(rule, known);
        });
      }
      request.caller = authorize(rule, identity);
      done();
      return undefined;
    };
  }

  /**
   * Whether the token or the session of a guarded request has ended since, or a password was set; for responses without
   * an end. Does not count as use of the session.
   */
  async hasEnded(request: FastifyRequest): Promise<boolean> {
    const { accessToken, caller, headers } = request;
    if (accessToken) {
      const text = accessTokenIn(headers, this.#deps.mcpToken);
      return text === undefined || (await this.#deps.tokens.find(text)) === undefined;
    }
    if (caller === 'viewer') return false;
    return authorize('open', await this.#identifyNow(request, false)) === 'viewer';
  }

  #identifyNow(request: FastifyRequest, isUse = true): Identity | Promise<Identity> {
    const stored = this.#deps.passwords.current();
    if (!stored) return 'unknown';
    if (!isProtected(stored)) return 'unprotected';
    if (request.hasMcpToken) return 'mcp';
    const tokens = tokensIn(request.headers.cookie);
    if (!tokens.length) return 'locked';
    return findSession(this.#deps.pool, tokens, stored.idleMinutes, isUse).then((role) =>
      role !== undefined && stored[role] !== '' ? role : 'locked',
    );
  }
}

type Decision = CallerRole | { readonly refused: ErrorCode };

const locked: Decision = { refused: 'unlock_required' };
const adminsOnly: Decision = { refused: 'admin_required' };
const starting: Decision = { refused: 'starting' };

const anyone = (caller: CallerRole): Record<Identity, Decision> => ({
  unknown: caller,
  unprotected: caller,
  locked: caller,
  contributor: caller,
  admin: caller,
  mcp: caller,
});
const unlocked = {
  unknown: starting,
  unprotected: 'admin',
  locked,
  contributor: 'contributor',
  admin: 'admin',
  mcp: adminsOnly,
} as const;

const decisions: Readonly<Record<AccessRule, Readonly<Record<Identity, Decision>>>> = {
  open: { ...anyone('viewer'), unprotected: 'admin', contributor: 'contributor', admin: 'admin' },
  contributorRead: unlocked,
  contributor: unlocked,
  admin: { ...unlocked, contributor: adminsOnly },
  adminOrMcp: { ...unlocked, contributor: adminsOnly, mcp: 'mcp' },
  processor: anyone('processor'),
};

/** Returns the access rule of an operation's security requirements. @throws when they match no rule */
export function ruleOf({ operationId, security }: Pick<Operation, 'operationId' | 'security'>): AccessRule {
  const rules = Object.entries(access) as [AccessRule, Security][];
  const found = rules.find(([, requirements]) => isDeepStrictEqual(requirements, security));
  if (!found) throw new Error(`The security of ${operationId} in the contract matches no access rule`);
  return found[0];
}

/**
 * Returns the role with which a client may call an operation with this rule.
 * @throws HubError unlock_required, admin_required, starting
 */
export function authorize(rule: AccessRule, identity: Identity): CallerRole {
  const decision = decisions[rule][identity];
  if (typeof decision === 'string') return decision;
  throw decision.refused === 'starting' ? passwordsNotRead() : new HubError(decision.refused);
}

/** The scopes that suffice for each rule, with their roles; the first matching scope counts. */
const tokenCallers: Readonly<Record<AccessRule, Readonly<Partial<Record<TokenScope, CallerRole>>>>> = {
  open: { admin: 'admin', review: 'contributor', read: 'reader', feeder: 'viewer', processor: 'viewer' },
  contributorRead: { admin: 'admin', review: 'contributor', read: 'reader' },
  contributor: { admin: 'admin', review: 'contributor' },
  admin: { admin: 'admin' },
  adminOrMcp: { admin: 'admin', feeder: 'feeder' },
  processor: { admin: 'processor', processor: 'processor' },
};

/**
 * Returns the role with which a token with these scopes may call an operation with this rule. A token is limited to its
 * scopes even while no password is set.
 * @throws HubError insufficient_scope
 */
export function authorizeToken(rule: AccessRule, scopes: readonly TokenScope[]): CallerRole {
  const callers = Object.entries(tokenCallers[rule]) as [TokenScope, CallerRole][];
  const sufficient = callers.find(([scope]) => scopes.includes(scope));
  if (sufficient) return sufficient[1];
  const names = callers.map(([scope]) => scope).join(' or ');
  throw new HubError('insufficient_scope', { message: `The token lacks the scope for this: ${names}.` });
}

/** Returns the role with the rights of a token. */
function roleOfToken(scopes: readonly TokenScope[]): Identity {
  if (scopes.includes('admin')) return 'admin';
  return scopes.includes('review') ? 'contributor' : 'locked';
}

/** Returns the error of requests that depend on passwords before these were read. */
export function passwordsNotRead(): HubError {
  return new HubError('starting', { retryAfterSeconds: 2 });
}

/** Dependencies of {@link checkRequests}. */
export interface RequestCheckDeps {
  readonly mcpToken: string | undefined;
  readonly tokens: Pick<AccessTokens, 'find' | 'noteUse'>;
  readonly bearerAttempts: Pick<TokenAttempts, 'requireNotBlocked' | 'countFailure'>;
  readonly corsOrigins: ReadonlySet<string>;
}

/**
 * Reads the token of each request, and rejects wrong tokens and writes from pages of other sites. Requests with an
 * access token are exempt from the latter: other sites cannot send one without a preflight, and cookies do not extend
 * its rights.
 */
export function checkRequests(app: HubApp, deps: RequestCheckDeps): void {
  const { mcpToken, tokens, bearerAttempts, corsOrigins } = deps;

  async function rejectToken(address: string): Promise<never> {
    await bearerAttempts.countFailure(address);
    throw new HubError('invalid_token');
  }

  function admitToken(request: FastifyRequest, token: StoredToken): void {
    request.accessToken = token;
    tokens.noteUse(token, request.ip, `${request.method} ${request.routeOptions.url ?? '*'}`);
  }

  async function admitLater(
    request: FastifyRequest,
    lookup: Promise<StoredToken | undefined>,
  ): Promise<void> {
    const token = await lookup;
    if (!token) return rejectToken(addressKey(request));
    admitToken(request, token);
  }

  app.decorateRequest('hasMcpToken', false);
  app.decorateRequest('accessToken', undefined);
  app.decorateRequest('caller', 'viewer');
  app.addHook('onRequest', (request, _reply, done) => {
    const accessToken = accessTokenIn(request.headers, mcpToken);
    if (accessToken !== undefined) {
      // Valid ones are accepted from blocked addresses, as 256 random bits cannot be guessed.
      const found = tokens.find(accessToken);
      if (!found || found instanceof Promise) return admitLater(request, Promise.resolve(found));
      admitToken(request, found);
      done();
      return undefined;
    }
    if (isCrossSite(request, corsOrigins)) throw new HubError('csrf_rejected');
    const token = checkBearer(request.headers.authorization, mcpToken);
    if (token !== 'none') bearerAttempts.requireNotBlocked(addressKey(request));
    if (token === 'wrong') return rejectToken(addressKey(request));
    request.hasMcpToken = token === 'right';
    done();
    return undefined;
  });
}

/**
 * Returns the access token in `Authorization` or, without another bearer token, in `X-Processor-Token`; other values
 * there are compared with `PROCESSOR_SECRET` by the ingest service.
 */
export function accessTokenIn(
  { authorization, 'x-processor-token': processorToken }: IncomingHttpHeaders,
  mcpToken: string | undefined,
): string | undefined {
  if (authorization !== undefined && bearer.test(authorization)) {
    const given = authorization.replace(bearer, '');
    return isTokenText(given) && checkBearer(authorization, mcpToken) === 'wrong' ? given : undefined;
  }
  return typeof processorToken === 'string' && isTokenText(processorToken) ? processorToken : undefined;
}

const bearer = /^bearer(?:\s+|$)/i;

/** Compares a bearer token with `MCP_TOKEN`. Other schemes count as `none`, as a reverse proxy may require them. */
export function checkBearer(
  authorization: string | undefined,
  mcpToken: string | undefined,
): 'none' | 'right' | 'wrong' {
  if (authorization === undefined || !bearer.test(authorization)) return 'none';
  const given = authorization.replace(bearer, '');
  return mcpToken !== undefined && isSameSecret(given, mcpToken) ? 'right' : 'wrong';
}
