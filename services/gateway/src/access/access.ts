import type { Operation } from '@birdhub/shared/contract';
import { findSession } from '@birdhub/shared/sessions';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type pg from 'pg';
import { tokensIn } from '../session/session-cookie.js';
import { admit, type Caller, ruleOf, type Visitor } from './caller.js';
import { isProtected, type KnownPasswords } from './passwords.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether it shows the token of `MCP_TOKEN`. */
    showsToken: boolean;
    /** As whom it goes on to a service, once {@link Access.guard} has let it. */
    caller: Caller;
  }
}

/** Who may do what. */
export interface Access {
  /** Who is before the door; asks the database only for who brings a cookie to a hub with passwords. */
  identify(request: FastifyRequest): Visitor | Promise<Visitor>;
  /** A hook that lets in whom the operation's rule lets in, before a body is read. */
  guard(operation: Pick<Operation, 'operationId' | 'security'>): onRequestHookHandler;
}

/** What access is decided by. */
export interface AccessOptions {
  readonly pool: pg.Pool;
  readonly passwords: KnownPasswords;
}

/** Sessions are looked up for each request, so that what ends one ends it at every gateway at once. */
export function createAccess({ pool, passwords }: AccessOptions): Access {
  function identifyNow(request: FastifyRequest): Visitor | Promise<Visitor> {
    const known = passwords.now();
    if (!known) return 'unknown';
    if (!isProtected(known)) return 'unprotected';
    if (request.showsToken) return 'mcp';
    const tokens = tokensIn(request.headers.cookie);
    if (!tokens.length) return 'locked';
    return findSession(pool, tokens, known.idleMinutes).then((role) =>
      role !== undefined && known[role] !== '' ? role : 'locked',
    );
  }

  function identify(request: FastifyRequest): Visitor | Promise<Visitor> {
    const pending = passwords.pending();
    return pending ? pending.then(() => identifyNow(request)) : identifyNow(request);
  }

  function guard(operation: Pick<Operation, 'operationId' | 'security'>): onRequestHookHandler {
    const rule = ruleOf(operation);
    return (request, _reply, done) => {
      const enter = (visitor: Visitor) => {
        request.caller = admit(rule, visitor);
      };
      const visitor = rule === 'processor' ? 'unknown' : identify(request);
      if (typeof visitor !== 'string') return visitor.then(enter);
      enter(visitor);
      done();
      return undefined;
    };
  }

  return { identify, guard };
}
