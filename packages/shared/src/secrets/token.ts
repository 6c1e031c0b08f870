import { createHash, randomBytes } from 'node:crypto';

/** The format of {@link newToken}. */
export const tokenPattern = /^[\w-]{43}$/;

/** Returns 256 random bits in base64url, for cookies, links and access tokens. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns the SHA-256 of a token: only hashes are stored, so that neither the database nor a backup reveals tokens. */
export function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}
