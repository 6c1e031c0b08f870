import { HubError } from '@birdhub/shared/errors';
import { hashPassword, needsRehash, verifyPassword } from '@birdhub/shared/passwords';
import { openSession, type SessionRole } from '@birdhub/shared/sessions';
import { replacePasswordHash } from '@birdhub/shared/settings';
import type pg from 'pg';
import type { KnownPasswords, Passwords } from '../access/passwords.js';

/** A session that was opened. */
export interface Unlocked {
  readonly role: SessionRole;
  readonly token: string;
}

/** What unlocking works with. */
export interface UnlockOptions {
  readonly pool: pg.Pool;
  readonly passwords: KnownPasswords;
}

/** The role whose password this is; the work is the same whichever it is, and whether both are set. */
async function matchPassword(text: string, stored: Passwords): Promise<SessionRole | undefined> {
  const isAdmin = await verifyPassword(stored.admin, text);
  const isContributor = await verifyPassword(stored.contributor, text);
  if (isAdmin) return 'admin';
  return isContributor ? 'contributor' : undefined;
}

async function renewHash(pool: pg.Pool, role: SessionRole, stored: string, text: string): Promise<void> {
  if (needsRehash(stored)) await replacePasswordHash(pool, { role, stored, hash: await hashPassword(text) });
}

/**
 * Opens a session for who knows a password, in place of those that the browser had.
 * @throws HubError wrong_password, and conflict when the passwords change time and again meanwhile
 */
export async function unlock(
  { pool, passwords }: UnlockOptions,
  text: string,
  insteadOf: readonly string[],
): Promise<Unlocked> {
  for (let attempts = 0; attempts < 3; attempts += 1) {
    const known = passwords.now();
    const role = known && (await matchPassword(text, known));
    if (!role) throw new HubError('wrong_password');
    const storedPassword = known[role];
    const token = await openSession(pool, { role, storedPassword, insteadOf });
    if (token !== undefined) {
      await renewHash(pool, role, storedPassword, text);
      return { role, token };
    }
    // Another password or another hash of it is stored by now.
    await passwords.refresh();
  }
  throw new HubError('conflict');
}
