import { createHash } from 'node:crypto';

const tags = /(?:W\/)?("[^"]*")/g;

/** A weak entity tag of what is answered. */
export function weakTag(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether an `If-None-Match` names this tag, by the weak comparison of RFC 9110 §8.8.3.2. */
export function isNamedBy(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  const opaque = tag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(tags)].some((match) => match[1] === opaque);
}
