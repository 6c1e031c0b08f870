import { createHash, randomBytes } from 'node:crypto';

/** The name of the cookie that carries the token of a session. */
export const sessionCookie = 'hub_session';

/** A new token: 256 random bits, as text for a cookie. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a token, so that nobody becomes anybody by reading the database. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}
