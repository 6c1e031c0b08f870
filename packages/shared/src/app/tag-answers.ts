import type { HubApp } from './create-app.js';
import { isUnmodified, weakTag } from './entity-tag.js';

/** Gives JSON that answers a GET or HEAD a weak entity tag, unless it has one, and 304 to a caller that has it. */
export function tagAnswers(app: HubApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isJson =
      typeof payload === 'string' && reply.getHeader('content-type')?.toString().includes('json');
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || reply.statusCode !== 200 || !isJson || reply.hasHeader('etag')) return payload;
    reply.header('etag', weakTag(payload)).header('cache-control', 'no-cache');
    if (!isUnmodified(request, reply)) return payload;
    reply.code(304).removeHeader('content-length').removeHeader('content-type');
    return null;
  });
}
