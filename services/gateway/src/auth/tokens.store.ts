import type { TokenScope } from '@birdhub/shared/app';
import { type Database, lockKeys, type PrismaClient, type Row, type Transaction } from '@birdhub/shared/db';
import { HubError, refuse } from '@birdhub/shared/errors';
import { commitWithPrisma, type PrismaCommitDeps } from '@birdhub/shared/outbox';

/** Maximum number of tokens of a hub, including expired ones. */
export const maxTokens = 200;

/** A token and the rights of its bearer. */
export interface StoredToken {
  readonly id: number;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** The cameras that it is limited to; undefined for all. */
  readonly cameras: readonly string[] | undefined;
  /** In ms since the epoch; undefined when it never expires. */
  readonly expiresAt: number | undefined;
}

/** A token to be stored. */
export interface NewToken extends Omit<StoredToken, 'id'> {
  readonly hash: Uint8Array<ArrayBuffer>;
}

/** Who creates or revokes a token, for the activity log. */
export interface TokenAuthor {
  readonly by: string;
  /** The name of the access token of the request. */
  readonly token: string | undefined;
}

/** Who creates a token. */
export interface TokenCreator extends TokenAuthor {
  /** The id of the access token of the request. */
  readonly tokenId: number | undefined;
  /** Whether the request was allowed because no password is set. */
  readonly isUnprotected: boolean;
}

type Transact = Database['transaction'];

/** Returns the token with this hash, whether or not it has expired. */
export async function findToken(
  prisma: PrismaClient,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<StoredToken | undefined> {
  const row = await prisma.accessToken.findUnique({ where: { tokenHash } });
  return row ? toStoredToken(row) : undefined;
}

/** Returns all tokens, the newest first. */
export function listTokens(prisma: PrismaClient): Promise<Omit<Row<'AccessToken'>, 'tokenHash'>[]> {
  return prisma.accessToken.findMany({ orderBy: { id: 'desc' }, omit: { tokenHash: true } });
}

// The first password and the revocation of a token hold the same lock.
const protectionSql = `
  SELECT coalesce(value #>> '{general,settings_password}', '') = '' AS "isUnprotected",
    $1::bigint IS NULL OR EXISTS (SELECT FROM access_token WHERE id = $1) AS "hasCreator"
  FROM setting WHERE key = 'hub'`;

/** Returns whether no admin password is set. @throws HubError unlock_required, invalid_token since the request came */
async function checkProtection({ client }: Transaction, creator: TokenCreator): Promise<boolean> {
  const { rows } = await client.query<{ isUnprotected: boolean; hasCreator: boolean }>(protectionSql, [
    creator.tokenId,
  ]);
  const { isUnprotected = false, hasCreator = true } = rows[0] ?? {};
  if (!hasCreator) throw new HubError('invalid_token');
  if (creator.isUnprotected && !isUnprotected) throw new HubError('unlock_required');
  return isUnprotected;
}

const markUnprotectedSql = 'UPDATE access_token SET unprotected = true WHERE id = $1';

/**
 * Stores a token and logs it. A token that is created while no admin password is set is marked, as the first password
 * revokes it.
 * @throws HubError token_name_taken, too_many_tokens, unlock_required, invalid_token
 */
export function createToken(transact: Transact, token: NewToken, author: TokenCreator): Promise<number> {
  return transact(async (transaction) => {
    const { prisma, client } = transaction;
    await lockTokens(transaction);
    const isUnprotected = await checkProtection(transaction, author);
    const { name, scopes, cameras, expiresAt, hash } = token;
    if (await prisma.accessToken.findUnique({ where: { name }, select: { id: true } })) {
      throw new HubError('token_name_taken', {
        details: [refuse('/name', 'name_of_token')],
      });
    }
    if ((await prisma.accessToken.count()) >= maxTokens) throw new HubError('too_many_tokens');
    const { id } = await prisma.accessToken.create({
      data: {
        name,
        tokenHash: hash,
        scopes: [...scopes],
        cameras: [...(cameras ?? [])],
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt),
      },
      select: { id: true },
    });
    if (isUnprotected) await client.query(markUnprotectedSql, [id]);
    const data = { ...describeAuthor(author), id, name, scopes: [...scopes] };
    await prisma.activityLog.create({ data: { type: 'token_created', data } });
    return id;
  });
}

/**
 * Deletes a token, logs it, and notifies all gateways.
 * @throws HubError token_not_found
 */
export function revokeToken(deps: PrismaCommitDeps, id: number, author: TokenAuthor): Promise<void> {
  return commitWithPrisma(deps, async (transaction) => {
    const { prisma, changed } = transaction;
    await lockTokens(transaction);
    const row = await prisma.accessToken.findUnique({ where: { id }, select: { name: true } });
    if (!row) throw new HubError('token_not_found');
    await prisma.accessToken.delete({ where: { id }, select: { id: true } });
    const data = { ...describeAuthor(author), id, name: row.name };
    await prisma.activityLog.create({ data: { type: 'token_revoked', data } });
    changed({ kind: 'tokens' });
  });
}

/** Stores the last use of a token, unless a use after `since` is stored already. */
export async function storeTokenUse(
  prisma: PrismaClient,
  id: number,
  { address, at, since }: { address: string; at: Date; since: Date },
): Promise<void> {
  await prisma.accessToken.updateMany({
    where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: since } }] },
    data: { lastUsedAt: at, lastUsedAddress: address },
  });
}

/** Logs the use of a token. */
export async function logTokenUse(
  prisma: PrismaClient,
  use: { token: string; operation: string; address: string },
): Promise<void> {
  await prisma.activityLog.create({ data: { type: 'token_used', data: use }, select: { id: true } });
}

/** Serialises changes of tokens, so that the maximum holds. */
async function lockTokens({ client }: Transaction): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${lockKeys.accessTokens})`);
}

function describeAuthor({ by, token }: TokenAuthor): { by: string; token?: string } {
  return token === undefined ? { by } : { by, token };
}

function toStoredToken({ id, name, scopes, cameras, expiresAt }: Row<'AccessToken'>): StoredToken {
  return {
    id,
    name,
    // A constraint of the database checks the scopes.
    scopes: scopes as TokenScope[],
    cameras: cameras.length ? cameras : undefined,
    expiresAt: expiresAt?.getTime(),
  };
}
