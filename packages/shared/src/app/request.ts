import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply } from 'fastify';

const validRequestId = /^[\w.:-]{1,128}$/;
const affirmations: readonly unknown[] = ['1', 'true', 'yes'];

/** Returns the caller's `X-Request-Id` when it is a plain token, else a new id. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && validRequestId.test(given) ? given : randomUUID();
}

/** Whether a query parameter is `1`, `true` or `yes`. */
export function isYes(parameter: string | undefined): boolean {
  return affirmations.includes(parameter?.toLowerCase());
}

/**
 * Returns a signal that fires when the client disconnects before the response is sent. Fastify's own `request.signal`
 * fires as soon as a body was read to its end.
 */
export function whileAwaited({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal {
  const disconnected = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) disconnected.abort();
  });
  return disconnected.signal;
}
