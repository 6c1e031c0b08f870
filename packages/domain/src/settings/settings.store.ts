import { lockKeys, type PrismaClient } from '@birdhub/shared/db';
import { outboxRow, type PrismaWriteTransaction } from '@birdhub/shared/outbox';
import { passwordKeys, type SessionRole } from '@birdhub/shared/sessions';
import type pg from 'pg';
import type { StoredSettings } from './schema.js';

/** The single row of the settings. */
export interface SettingsRow {
  readonly value: StoredSettings;
  readonly version: number;
}

const lock = `SELECT value, version FROM setting WHERE key = 'hub' FOR UPDATE`;

const write = `
  UPDATE setting SET value = $1, version = version + $2, updated_at = now() WHERE key = 'hub'`;

export async function readSettings(prisma: PrismaClient): Promise<SettingsRow> {
  const { value, version } = await prisma.setting.findUniqueOrThrow({ where: { key: 'hub' } });
  return { value: value as StoredSettings, version };
}

/** Locks the settings against other changes and resealing until the transaction ends. */
export async function lockSettings(client: pg.ClientBase): Promise<SettingsRow> {
  const { rows } = await client.query<SettingsRow>(lock);
  const [row] = rows;
  if (!row) throw new Error('the settings are missing from the database');
  return row;
}

/** Stores settings; the version stays the same when they are equivalent to the stored ones. */
export async function writeSettings(
  client: pg.ClientBase,
  value: StoredSettings,
  isNextVersion: boolean,
): Promise<void> {
  await client.query(write, [JSON.stringify(value), isNextVersion ? 1 : 0]);
}

/** A stored password hash and its replacement. */
export interface RenewedHash {
  readonly role: SessionRole;
  readonly stored: string;
  readonly hash: string;
}

const replaceHash = `
  UPDATE setting SET value = jsonb_set(value, $1, to_jsonb($3::text))
  WHERE key = 'hub' AND value #>> $1 = $2`;

/** Replaces the hash of a password unless it was changed meanwhile; the version stays the same. */
export async function replacePasswordHash(pool: pg.Pool, { role, stored, hash }: RenewedHash): Promise<void> {
  await pool.query(replaceHash, [['general', passwordKeys[role]], stored, hash]);
}

/** The logged and published facts of a change: author and keys, never values. */
export interface RecordedChange {
  readonly version: number;
  readonly keys: readonly string[];
  readonly role: string;
  /** The name of the access token of the request. */
  readonly accessToken: string | undefined;
  readonly requestId: string | undefined;
}

const maxKeys = 200;

/** Returns the keys, or only their groups when there are too many for an event. */
function summarize(keys: readonly string[]): string[] {
  if (keys.length <= maxKeys) return [...keys];
  const groups = new Set(keys.map((key) => key.replace(/\..*/s, '')));
  return [...groups].slice(0, maxKeys);
}

/** Writes the activity row of a change and publishes its event. */
export async function recordChange(
  { prisma, publish }: Pick<PrismaWriteTransaction, 'prisma' | 'publish'>,
  change: RecordedChange,
): Promise<void> {
  const { version, role, accessToken, requestId } = change;
  const keys = summarize(change.keys);
  const by = accessToken === undefined ? { role } : { role, token: accessToken };
  await prisma.activityLog.create({ data: { type: 'settings_change', data: { ...by, keys, version } } });
  publish(outboxRow('hub.v1.settings.updated', 'settings', { version, keys }, requestId));
}

const lockTokensSql = `SELECT pg_advisory_xact_lock(${lockKeys.accessTokens})`;

// Tokens that may only post recordings are kept: a detector must not stop because of a password.
const revokeUnprotectedSql = `
  DELETE FROM access_token WHERE unprotected AND scopes <> ARRAY['processor'] AND name IS DISTINCT FROM $1
  RETURNING id, name`;

/**
 * Revokes and logs the access tokens that were created while no admin password was set, except those of processors and
 * the token of the request. Returns their names.
 */
export async function revokeUnprotectedTokens(
  { client, prisma, changed }: Pick<PrismaWriteTransaction, 'client' | 'prisma' | 'changed'>,
  { role, accessToken }: Pick<RecordedChange, 'role' | 'accessToken'>,
): Promise<string[]> {
  await client.query(lockTokensSql);
  const { rows } = await client.query<{ id: number; name: string }>(revokeUnprotectedSql, [accessToken]);
  if (!rows.length) return [];
  const by = accessToken === undefined ? { by: role } : { by: role, token: accessToken };
  await prisma.activityLog.createMany({
    data: rows.map((token) => ({
      type: 'token_revoked',
      data: { ...by, ...token, reason: 'created_without_password' },
    })),
  });
  changed({ kind: 'tokens' });
  return rows.map(({ name }) => name).sort();
}
