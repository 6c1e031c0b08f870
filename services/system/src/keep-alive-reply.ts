import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Well within the time that gateways and browsers wait for a response to begin. */
const keepAliveIntervalMs = 15_000;

/**
 * Replies with the result of work that may take minutes. Until the first interval has passed this is a normal reply;
 * after that the response starts with spaces, so that no proxy times out, and ends with the JSON. When the work fails
 * later, the response is cut off.
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
    reply.log.error({ err: error }, 'work failed after its response had started'),
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
