import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { onSendAsyncHookHandler } from 'fastify';
import fresh from 'fresh';
import type { HubApp } from './create-app.js';

/** Adds a weak entity tag to JSON replies of GET and HEAD without one, and replies 304 when it matches. */
export function addEntityTags(app: HubApp): void {
  app.addHook('onRoute', (route) => {
    const isRead = [route.method].flat().some((method) => method === 'GET' || method === 'HEAD');
    if (isRead) route.onSend = [addEntityTag, route.onSend ?? []].flat();
  });
}

const addEntityTag: onSendAsyncHookHandler = async (request, reply, payload) => {
  const isJson = typeof payload === 'string' && reply.getHeader('content-type')?.toString().includes('json');
  if (reply.statusCode !== 200 || !isJson || reply.hasHeader('etag')) return payload;
  reply.header('etag', weakTag(payload)).header('cache-control', 'no-cache');
  if (!isUnmodified(request, reply)) return payload;
  reply.code(304).removeHeader('content-length').removeHeader('content-type');
  return null;
};

/** Returns a weak entity tag of a response. */
export function weakTag(...parts: readonly (string | Buffer)[]): string {
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return `W/"${hash.digest('base64url')}"`;
}

/** Whether the caller has the current version according to `etag` or `last-modified` of the reply (RFC 9110 §13.2.2). */
export function isUnmodified(
  { headers }: { readonly headers: IncomingHttpHeaders },
  reply: { getHeaders(): Readonly<Record<string, number | string | string[] | undefined>> },
): boolean {
  const { 'if-none-match': noneMatch, 'if-modified-since': modifiedSince } = headers;
  // `Cache-Control` of the request is ignored, as `no-cache` would disable 304.
  return fresh({ 'if-none-match': noneMatch, 'if-modified-since': modifiedSince }, reply.getHeaders());
}

/** Returns the `Content-Disposition` of a download (RFC 6266); non-ASCII names are encoded by RFC 8187. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const extended = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percentEncode);
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

const percentEncode = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
