import { isDeepStrictEqual } from 'node:util';
import { access, type HubApp, isCrossSite, isSameSecret } from '@birdhub/shared/app';
import { addressKey, type TokenAttempts } from '@birdhub/shared/attempts';
import { type ErrorCode, HubError } from '@birdhub/shared/errors';
import { findSession } from '@birdhub/shared/sessions';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type pg from 'pg';
import type { Operation, Security } from '../contract/index.js';
import { isProtected, type KnownPasswords } from './passwords.js';
import { tokensIn } from './sessions.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the request carries the token of `MCP_TOKEN`. */
    hasMcpToken: boolean;
    /** The role in which the request is forwarded, set by {@link Access.guard}. */
    caller: Caller;
  }
}

/** The role of a caller, as services read it in `x-hub-caller`. */
export type Caller = 'viewer' | 'contributor' | 'admin' | 'mcp' | 'processor';

/**
 * What the gateway knows of a client: `unprotected` is everybody while no password is set, `unknown` everybody while
 * the passwords have not been read yet, `mcp` whoever sends the token of `MCP_TOKEN`.
 */
export type Identity = 'unknown' | 'unprotected' | 'locked' | 'contributor' | 'admin' | 'mcp';

/** The access rule of an operation. */
export type Rule = keyof typeof access;

/** What access is decided by. */
export interface AccessDeps {
  readonly pool: pg.Pool;
  readonly passwords: KnownPasswords;
}

/**
 * Identifies clients and guards operations. Sessions are looked up for each request, so that a session that ends at
 * one gateway ends at all of them at once.
 */
export class Access {
  readonly #pool: pg.Pool;
  readonly #passwords: KnownPasswords;

  constructor({ pool, passwords }: AccessDeps) {
    this.#pool = pool;
    this.#passwords = passwords;
  }

  /** Identifies a client; queries the database only when a password is set and the request has a session cookie. */
  identify(request: FastifyRequest): Identity | Promise<Identity> {
    const pending = this.#passwords.pending();
    return pending ? pending.then(() => this.#identifyNow(request)) : this.#identifyNow(request);
  }

  /** Returns a hook that sets `request.caller`, or rejects the request before its body is read. */
  guard(operation: Pick<Operation, 'operationId' | 'security'>): onRequestHookHandler {
    const rule = ruleOf(operation);
    return (request, _reply, done) => {
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

  #identifyNow(request: FastifyRequest): Identity | Promise<Identity> {
    const stored = this.#passwords.current();
    if (!stored) return 'unknown';
    if (!isProtected(stored)) return 'unprotected';
    if (request.hasMcpToken) return 'mcp';
    const tokens = tokensIn(request.headers.cookie);
    if (!tokens.length) return 'locked';
    return findSession(this.#pool, tokens, stored.idleMinutes).then((role) =>
      role !== undefined && stored[role] !== '' ? role : 'locked',
    );
  }
}

type Decision = Caller | { readonly refused: ErrorCode };

const locked: Decision = { refused: 'unlock_required' };
const adminsOnly: Decision = { refused: 'admin_required' };
const notYet: Decision = { refused: 'starting' };

const anyone = (caller: Caller): Record<Identity, Decision> => ({
  unknown: caller,
  unprotected: caller,
  locked: caller,
  contributor: caller,
  admin: caller,
  mcp: caller,
});
const unlocked = {
  unknown: notYet,
  unprotected: 'admin',
  locked,
  contributor: 'contributor',
  admin: 'admin',
  mcp: adminsOnly,
} as const;

const decisions: Readonly<Record<Rule, Readonly<Record<Identity, Decision>>>> = {
  open: { ...anyone('viewer'), unprotected: 'admin', contributor: 'contributor', admin: 'admin' },
  contributor: unlocked,
  admin: { ...unlocked, contributor: adminsOnly },
  adminOrMcp: { ...unlocked, contributor: adminsOnly, mcp: 'mcp' },
  processor: anyone('processor'),
};

/** Returns the rule that an operation's security requirements stand for. Throws when they stand for none. */
export function ruleOf({ operationId, security }: Pick<Operation, 'operationId' | 'security'>): Rule {
  const rules = Object.entries(access) as [Rule, Security][];
  const found = rules.find(([, requirements]) => isDeepStrictEqual(requirements, security));
  if (!found) throw new Error(`The contract guards ${operationId} by a rule that the gateway does not know`);
  return found[0];
}

/**
 * Returns the role in which a client may call an operation with this rule.
 * @throws HubError unlock_required, admin_required, starting
 */
export function authorize(rule: Rule, identity: Identity): Caller {
  const decision = decisions[rule][identity];
  if (typeof decision === 'string') return decision;
  throw decision.refused === 'starting' ? passwordsNotRead() : new HubError(decision.refused);
}

/** The error for requests that depend on the passwords before these have been read. */
export function passwordsNotRead(): HubError {
  return new HubError('starting', { retryAfterSeconds: 2 });
}

/** What requests are checked with before their operation's rule is. */
export interface RequestCheckDeps {
  readonly mcpToken: string | undefined;
  readonly bearerAttempts: Pick<TokenAttempts, 'requireNoWait' | 'countFailure'>;
  readonly corsOrigins: ReadonlySet<string>;
}

/** Rejects on all routes wrong bearer tokens, and writes that pages of other sites send. */
export function checkRequests(
  app: HubApp,
  { mcpToken, bearerAttempts, corsOrigins }: RequestCheckDeps,
): void {
  async function rejectToken(address: string): Promise<never> {
    await bearerAttempts.countFailure(address);
    throw new HubError('invalid_token');
  }

  app.decorateRequest('hasMcpToken', false);
  app.decorateRequest('caller', 'viewer');
  app.addHook('onRequest', (request, _reply, done) => {
    if (isCrossSite(request, corsOrigins)) throw new HubError('csrf_rejected');
    const token = checkBearer(request.headers.authorization, mcpToken);
    if (token !== 'none') bearerAttempts.requireNoWait(addressKey(request));
    if (token === 'wrong') return rejectToken(addressKey(request));
    request.hasMcpToken = token === 'right';
    done();
    return undefined;
  });
}

const bearer = /^bearer(?:\s+|$)/i;

/** Compares a bearer token with `MCP_TOKEN`. Other schemes count as `none`: a proxy in front may ask for them. */
export function checkBearer(
  authorization: string | undefined,
  mcpToken: string | undefined,
): 'none' | 'right' | 'wrong' {
  if (authorization === undefined || !bearer.test(authorization)) return 'none';
  const given = authorization.replace(bearer, '');
  return mcpToken !== undefined && isSameSecret(given, mcpToken) ? 'right' : 'wrong';
}
