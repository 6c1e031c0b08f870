import type pg from 'pg';
import type { PrismaClient } from '../db/index.js';
import { hashToken, newToken } from '../secrets/index.js';
import { dayMs } from '../time/index.js';

/** The name of the cookie that carries the token of a session. */
export const sessionCookie = 'hub_session';

/** The role of a session. */
export type SessionRole = 'contributor' | 'admin';

/** The key in the group `general` of the settings that holds the password of each role. */
export const passwordKeys = {
  admin: 'settings_password',
  contributor: 'contributor_password',
} as const satisfies Record<SessionRole, string>;

/** Maximum age of a session in days, even if it is in use. */
export const sessionDays = 31;

/** A session to open. */
export interface NewSession {
  readonly role: SessionRole;
  /** The stored password hash that was compared. */
  readonly storedPassword: string;
  /** Tokens of replaced sessions. */
  readonly replacedTokens: readonly string[];
}

// A concurrent change of the password locks the row; this waits for it and then finds another hash.
const openSql = `
  WITH same AS (
    SELECT FROM setting WHERE key = 'hub' AND value #>> ARRAY['general', $3] = $4 FOR SHARE
  ), ended AS (
    DELETE FROM session WHERE token_hash = ANY ($5)
  )
  INSERT INTO session (token_hash, role) SELECT $1, $2 FROM same`;

// The last use is updated when it is older than a thirtieth of the idle limit, or a minute.
const findSql = `
  SELECT token_hash, role, used_at < now() - CASE WHEN $1::int BETWEEN 1 AND 29
      THEN $1::int * interval '2 seconds' ELSE interval '1 minute' END AS is_due
  FROM session
  WHERE token_hash = ANY ($2) AND created_at > now() - interval '${sessionDays} days'
    AND ($1::int = 0 OR used_at > now() - $1::int * interval '1 minute')
  ORDER BY role LIMIT 1`;

/**
 * Opens a session and returns its token; undefined when the password was changed since it was compared, so that no
 * session outlives its password.
 */
export async function openSession(pool: pg.Pool, session: NewSession): Promise<string | undefined> {
  const { role, storedPassword, replacedTokens } = session;
  const token = newToken();
  const values = [hashToken(token), role, passwordKeys[role], storedPassword, replacedTokens.map(hashToken)];
  const { rowCount } = await pool.query(openSql, values);
  return rowCount ? token : undefined;
}

/**
 * Returns the highest role of the sessions with these tokens; `idleMinutes` 0 disables the idle limit. Without `isUse` the
 * session stays as idle as it was.
 */
export async function findSession(
  pool: pg.Pool,
  tokens: readonly string[],
  idleMinutes: number,
  isUse = true,
): Promise<SessionRole | undefined> {
  const values = [idleMinutes, tokens.map(hashToken)];
  const { rows } = await pool.query<{ token_hash: Buffer; role: SessionRole; is_due: boolean }>({
    name: 'find_session',
    text: findSql,
    values,
  });
  const [row] = rows;
  if (row?.is_due && isUse)
    await pool.query('UPDATE session SET used_at = now() WHERE token_hash = $1', [row.token_hash]);
  return row?.role;
}

/** Ends the sessions of these tokens. */
export async function endSessions(prisma: PrismaClient, tokens: readonly string[]): Promise<void> {
  await prisma.session.deleteMany({ where: { tokenHash: { in: tokens.map(hashToken) } } });
}

/** Ends all sessions of a role; called in the transaction that changes its password. */
export async function endSessionsOf(prisma: PrismaClient, role: SessionRole): Promise<void> {
  await prisma.session.deleteMany({ where: { role } });
}

/** Deletes expired sessions. */
export async function removeExpiredSessions(
  prisma: PrismaClient,
  idleMinutes: number,
  now: number,
): Promise<void> {
  const tooOld = { createdAt: { lte: new Date(now - sessionDays * dayMs) } };
  const isIdle = { usedAt: { lte: new Date(now - idleMinutes * 60_000) } };
  await prisma.session.deleteMany({ where: { OR: idleMinutes === 0 ? [tooOld] : [tooOld, isIdle] } });
}
