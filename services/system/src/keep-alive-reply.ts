import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Shorter than the timeouts of gateways and browsers for the start of a response. */
const keepAliveIntervalMs = 15_000;

/**
 * Replies with the result of work that may take minutes. After the first interval the response starts with spaces, so
 * that proxies do not time out, and ends with the JSON. When the work fails later, the response is aborted.
 */
export async function replyWithKeepAlive<T extends object>(
  reply: FastifyReply,
  work: Promise<T>,
  intervalMs = keepAliveIntervalMs,
): Promise<T> {
  const early = await Promise.race([work, pause(intervalMs, undefined, { ref: false })]);
  if (early) return early;
  const stream = Readable.from(writeWhenDone(work, intervalMs));
  stream.once('error', (error) =>
    reply.log.error({ err: error }, 'work failed after the response was started'),
  );
  return reply.type('application/json; charset=utf-8').send(stream) as unknown as T;
}

async function* writeWhenDone(work: Promise<object>, intervalMs: number): AsyncGenerator<string> {
  for (;;) {
    const result = await Promise.race([work, pause(intervalMs, undefined, { ref: false })]);
    if (result) return yield JSON.stringify(result);
    // White space before a JSON text is insignificant (RFC 8259).
    yield ' ';
  }
}
