import { type HubApp, access as rules, type TokenScope } from '@birdhub/shared/app';
import type { ChangeNotifier, Database, PrismaClient } from '@birdhub/shared/db';
import { invalidField, refused } from '@birdhub/shared/errors';
import { hashToken } from '@birdhub/shared/secrets';
import { type Clock, parseInstant } from '@birdhub/shared/time';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Access } from './access.js';
import { type AccessTokens, createTokenText } from './tokens.js';
import {
  AccessTokenSchema,
  CreatedTokenSchema,
  type NewTokenBody,
  NewTokenSchema,
  RevokedTokenSchema,
  TokenParamsSchema,
} from './tokens.schema.js';
import {
  createToken,
  listTokens,
  maxTokens,
  type NewToken,
  revokeToken,
  type TokenAuthor,
} from './tokens.store.js';

/** Dependencies of these routes. */
export interface TokenRoutesDeps {
  readonly basePath: string;
  readonly prisma: PrismaClient;
  readonly transaction: Database['transaction'];
  readonly access: Pick<Access, 'guard' | 'identify'>;
  readonly tokens: Pick<AccessTokens, 'forget'>;
  readonly notifier: Pick<ChangeNotifier, 'notify' | 'wake' | 'settled'>;
  readonly clock: Clock;
}

const common = { tags: ['access'], security: rules.admin };

const schemas = {
  list: {
    ...common,
    operationId: 'listTokens',
    summary: 'List access tokens',
    description: 'Returns all tokens, newest first, including expired ones.',
    response: { 200: Type.Array(AccessTokenSchema) },
  },
  create: {
    ...common,
    operationId: 'createToken',
    summary: 'Create an access token',
    description:
      'Programs send the token as `Authorization: Bearer` or as `X-Processor-Token`. A hub can have at ' +
      `most ${maxTokens} tokens.`,
    body: NewTokenSchema,
    response: { 201: CreatedTokenSchema },
  },
  revoke: {
    ...common,
    operationId: 'revokeToken',
    summary: 'Revoke an access token',
    description: 'The token stops working immediately.',
    params: TokenParamsSchema,
    response: { 200: RevokedTokenSchema },
  },
};

/** `GET /api/ui/tokens`, `POST /api/ui/tokens`, `DELETE /api/ui/tokens/{id}` */
export function tokenRoutes(app: HubApp, deps: TokenRoutesDeps): void {
  const { basePath, prisma, transaction, access, tokens, notifier, clock } = deps;
  const url = `${basePath}/api/ui/tokens`;

  app.get(url, { schema: schemas.list, onRequest: access.guard(schemas.list) }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    const rows = await listTokens(prisma);
    return rows.map((row) => ({
      id: row.id,
      name: row.name,
      scopes: row.scopes as TokenScope[],
      cameras: row.cameras.length ? row.cameras : null,
      created_at: row.createdAt.toISOString(),
      expires_at: row.expiresAt?.toISOString() ?? null,
      last_used_at: row.lastUsedAt?.toISOString() ?? null,
      last_used_address: row.lastUsedAddress,
    }));
  });

  app.post(
    url,
    { schema: schemas.create, onRequest: access.guard(schemas.create) },
    async (request, reply) => {
      const token = createTokenText();
      const stored = toNewToken(request.body, hashToken(token), clock.now());
      const isUnprotected = (await access.identify(request)) === 'unprotected';
      const creator = { ...authorOf(request), tokenId: request.accessToken?.id, isUnprotected };
      const id = await createToken(transaction, stored, creator);
      reply.code(201).header('cache-control', 'no-store');
      return { id, token };
    },
  );

  app.delete(
    `${url}/:id`,
    { schema: schemas.revoke, onRequest: access.guard(schemas.revoke) },
    async (request) => {
      await revokeToken({ database: { transaction }, notifier }, request.params.id, authorOf(request));
      tokens.forget();
      await noticesSent(notifier);
      return { message: 'success' };
    },
  );
}

const noticeTimeoutMs = 2_000;

/** Resolves when all gateways are notified. */
async function noticesSent(notifier: Pick<ChangeNotifier, 'settled'>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  // The notifier retries while the database is unavailable; tokens cached by other gateways expire within seconds.
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, noticeTimeoutMs);
  });
  await Promise.race([notifier.settled(), timeout]);
  clearTimeout(timer);
}

function authorOf({ caller, accessToken }: FastifyRequest): TokenAuthor {
  return { by: caller, token: accessToken?.name };
}

/** Converts a body to a new token. @throws HubError invalid_request naming the field */
function toNewToken(body: NewTokenBody, hash: Uint8Array<ArrayBuffer>, now: number): NewToken {
  const { name, scopes, expires_at, cameras } = body;
  return {
    name: toTokenName(name),
    hash,
    scopes: requireUnique('/scopes', scopes),
    cameras: cameras ? toCameras(cameras, scopes) : undefined,
    expiresAt: expires_at == null ? undefined : toExpiry(expires_at, now),
  };
}

/** Control characters, line breaks and bidirectional controls. */
const unprintable = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const visible = /[^\s\p{Cf}]/u;

function toTokenName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (unprintable.test(name)) throw refused('/name', 'plain_text');
  if (!visible.test(name)) throw refused('/name', 'required');
  return name;
}

function toCameras(cameras: readonly string[], scopes: readonly TokenScope[]): readonly string[] {
  if (!scopes.includes('processor')) {
    throw invalidField('/cameras', 'must not be set without the scope processor');
  }
  const unstorable = cameras.findIndex((camera) => unprintable.test(camera));
  if (unstorable >= 0) throw refused(`/cameras/${unstorable}`, 'plain_text');
  return requireUnique('/cameras', cameras);
}

function requireUnique<T>(path: string, values: readonly T[]): readonly T[] {
  const repeated = values.findIndex((value, at) => values.indexOf(value) !== at);
  if (repeated >= 0) throw invalidField(`${path}/${repeated}`, 'must not be repeated');
  return values;
}

function toExpiry(text: string, now: number): number {
  const instant = parseInstant(text);
  if (instant === undefined) throw invalidField('/expires_at', 'must be an RFC 3339 date and time');
  if (instant <= now) throw refused('/expires_at', 'in_past');
  return instant;
}
