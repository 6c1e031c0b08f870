import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import fresh from 'fresh';

/** A weak entity tag of what is answered. */
export function weakTag(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether the caller has what a reply is of, by its `etag` and otherwise by its `last-modified` (RFC 9110 §13.2.2). */
export function isUnmodified(
  { headers }: { readonly headers: IncomingHttpHeaders },
  reply: { getHeaders(): Readonly<Record<string, number | string | string[] | undefined>> },
): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers;
  // `Cache-Control: no-cache` asks caches to look here: who has the newest is told so here.
  return fresh({ 'if-none-match': noneMatch, 'if-modified-since': modifiedSince }, reply.getHeaders());
}
