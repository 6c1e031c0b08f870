import { hashPassword } from '@birdhub/shared/passwords';
import { openSettings } from '@birdhub/shared/settings';
import type { TestDatabase } from '@birdhub/shared/testing';
import { pino } from 'pino';
import { followPasswords, type KnownPasswords } from '../access/passwords.js';

/** Passwords in clear; empty for none. */
export interface TestPasswords {
  readonly admin: string;
  readonly contributor: string;
}

const hashes = new Map<string, Promise<string>>();

/** Hashing takes its time, so each password is hashed once. */
async function hashOnce(text: string): Promise<string> {
  if (!text) return '';
  const hash = hashes.get(text) ?? hashPassword(text);
  hashes.set(text, hash);
  return hash;
}

/** Stores passwords as the settings do, with other general settings beside them. */
export async function storePasswords(
  { pool }: Pick<TestDatabase, 'pool'>,
  { admin, contributor }: TestPasswords,
  others: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const general = {
    ...others,
    settings_password: await hashOnce(admin),
    contributor_password: await hashOnce(contributor),
  };
  await pool.query(`UPDATE setting SET value = $1, version = version + 1 WHERE key = 'hub'`, [
    JSON.stringify({ general }),
  ]);
}

/** Follows the passwords of a database as a gateway does. */
export async function openPasswords({
  pool,
  url,
}: TestDatabase): Promise<{ passwords: KnownPasswords; close(): Promise<void> }> {
  const log = pino({ level: 'silent' });
  const { settings, listener } = openSettings({ pool, url, hostZone: 'UTC', log });
  const passwords = followPasswords(settings);
  await passwords.refresh();
  return { passwords, close: () => listener.close() };
}
