import { createHash } from 'node:crypto';

/** A short text that differs when one of the parts does and tells none of them, as keys of services are among them. */
export function fingerprint(...parts: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}
