import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../errors/index.js';

/** The scopes of access tokens. */
export const tokenScopes = ['processor', 'read', 'review', 'feeder', 'admin'] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];

/** Who may call an operation, as OpenAPI security requirements; the gateway enforces them. */
export const access = {
  /** Any caller. */
  open: [],
  /** Read access for a contributor or the administrator; a token needs only `read`. */
  contributorRead: [
    { session: ['contributor'] },
    { token: ['read'] },
    { token: ['review'] },
    { token: ['admin'] },
  ],
  /** A contributor or the administrator. */
  contributor: [{ session: ['contributor'] }, { token: ['review'] }, { token: ['admin'] }],
  /** The administrator. */
  admin: [{ session: ['admin'] }, { token: ['admin'] }],
  /** The administrator or the bearer of `MCP_TOKEN`. */
  adminOrMcp: [{ session: ['admin'] }, { mcp: [] as string[] }, { token: ['feeder'] }, { token: ['admin'] }],
  /** A detection processor with its token. */
  processor: [{ processor: [] as string[] }, { token: ['processor'] }, { token: ['admin'] }],
} as const;

/** The name of a rule in {@link access}. */
export type AccessRule = keyof typeof access;

/** The roles of callers, which services receive in `x-hub-caller`. */
export const callerRoles = [
  'viewer',
  'reader',
  'contributor',
  'admin',
  'mcp',
  'feeder',
  'processor',
] as const;

/** One of {@link callerRoles}. */
export type CallerRole = (typeof callerRoles)[number];

/** The part of a request that describes its caller, as set by the gateway. */
interface CallerRequest {
  readonly headers: IncomingHttpHeaders;
}

/** Returns the role of the caller; undefined for a request without a known one. */
export function callerOf({ headers }: CallerRequest): CallerRole | undefined {
  return callerRoles.find((role) => role === headers['x-hub-caller']);
}

const unlockedRoles: readonly unknown[] = ['reader', 'contributor', 'admin'] satisfies CallerRole[];

/** Whether a caller has the rights of `contributorRead`; on a hub without passwords, every caller has them. */
export function isUnlocked(request: CallerRequest): boolean {
  return unlockedRoles.includes(callerOf(request));
}

/**
 * Requires a caller with the rights of `contributorRead`, where only some requests of a route need them.
 * @throws HubError unlock_required
 */
export function requireUnlocked(request: CallerRequest): void {
  if (!isUnlocked(request)) throw new HubError('unlock_required');
}

/** How often one client address may call a route; published in the contract and enforced by the gateway. */
export interface RouteLimit {
  readonly max: number;
  readonly windowSeconds: number;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Published as `x-hub-limit`. */
    limit?: RouteLimit;
  }
}

/** Limits of routes that are expensive or that store data: `config: { limit: limits.export }`. */
export const limits = {
  render: { max: 60, windowSeconds: 60 },
  export: { max: 120, windowSeconds: 60 },
  dataset: { max: 30, windowSeconds: 60 },
  picture: { max: 1_200, windowSeconds: 60 },
  subscription: { max: 120, windowSeconds: 60 },
} as const satisfies Record<string, RouteLimit>;

/** Returns a hook that refuses requests that did not come through the gateway. */
export function requireInternal(secret: string) {
  return async (request: FastifyRequest): Promise<void> => {
    const given = request.headers['x-hub-internal'];
    if (typeof given !== 'string' || !isSameSecret(given, secret)) throw new HubError('forbidden');
  };
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

/** The access token of a caller, as described by the gateway to services; never the token itself. */
export interface CallerToken {
  readonly name: string;
  /** The cameras that it is limited to; undefined for all. */
  readonly cameras: readonly string[] | undefined;
}

/** The header in which the gateway describes the access token of a caller. */
export const callerTokenHeader = 'x-hub-token';

/** Returns the value of {@link callerTokenHeader}, encoded because names may contain any characters. */
export function writeCallerToken({ name, cameras }: CallerToken): string {
  return Buffer.from(JSON.stringify({ name, cameras })).toString('base64url');
}

/**
 * Returns the access token of a caller; undefined without one.
 * @throws HubError forbidden for a value that the gateway has not written
 */
export function callerTokenOf({ headers }: CallerRequest): CallerToken | undefined {
  const value = headers[callerTokenHeader];
  if (value === undefined) return undefined;
  try {
    const { name, cameras } = JSON.parse(Buffer.from(String(value), 'base64url').toString()) as CallerToken;
    if (typeof name === 'string' && (cameras === undefined || Array.isArray(cameras)))
      return { name, cameras };
  } catch {
    // Reported below.
  }
  throw new HubError('forbidden');
}

/** The caller, as recorded in the activity log and in events. */
export interface Caller {
  /** As set by the gateway: `contributor` or `admin`, else `unknown`. */
  readonly role: string;
  /** The name of the access token of the request. */
  readonly token: string | undefined;
  readonly requestId: string;
}

/** Returns the author of a change, as set by the gateway; services accept requests only from the gateway. */
export function authorOf(request: CallerRequest & { readonly id: string }): Caller {
  const role = callerOf(request);
  const token = callerTokenOf(request)?.name;
  const isAuthor = role === 'contributor' || role === 'admin';
  return { role: isAuthor ? role : 'unknown', token, requestId: request.id };
}
