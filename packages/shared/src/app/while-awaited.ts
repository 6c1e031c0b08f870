import type { FastifyReply } from 'fastify';

/**
 * Fires when the client goes away before it has its answer. Fastify's own `request.signal` fires as soon as a body was
 * read to its end.
 */
export function whileAwaited({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const leaving = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort();
  });
  return leaving.signal;
}
