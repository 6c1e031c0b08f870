import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { HubError } from '../errors/index.js';

/** What an access token may be made for. */
export const tokenScopes = ['processor', 'read', 'review', 'feeder', 'admin'] as const;

/** One of {@link tokenScopes}. */
export type TokenScope = (typeof tokenScopes)[number];

/** Who may call an operation, as OpenAPI security requirements; the gateway enforces them. */
export const access = {
  /** Every caller. */
  open: [],
  /** A contributor or the administrator, to read; a token needs no more than `read`. */
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

/** How often one client address may call a route; the gateway enforces what the contract publishes. */
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
