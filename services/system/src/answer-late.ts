import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** Well within the time that gateways and browsers wait for an answer to begin. */
const patienceMs = 15_000;

/** What became of work, and by which a reader knows that it has heard of it. */
type Outcome = object & { readonly bell?: string | undefined };

async function* writeWhenDone(work: Promise<Outcome>, everyMs: number): AsyncGenerator<string> {
  for (;;) {
    const outcome = await Promise.race([work, pause(everyMs, undefined, { ref: false })]);
    if (outcome) return yield JSON.stringify({ ...outcome, bell: undefined });
    // White space before a JSON text is no part of it (RFC 8259).
    yield ' ';
  }
}

/**
 * Answers what may take minutes. Until a moment has passed it answers like any other route; then the answer begins with
 * spaces, so that nobody on the way gives up, and ends with the JSON. Work that fails after that breaks the answer off.
 */
export async function answerLate<T extends Outcome>(
  reply: FastifyReply,
  work: Promise<T>,
  everyMs = patienceMs,
): Promise<Omit<T, 'bell'>> {
  const early = await Promise.race([work, pause(everyMs, undefined, { ref: false })]);
  if (early) {
    const { bell, ...answer } = early;
    if (bell) reply.header('x-hub-bell', bell);
    return answer;
  }
  const late = Readable.from(writeWhenDone(work, everyMs));
  late.once('error', (error) => reply.log.error({ err: error }, 'work failed after its answer had begun'));
  return reply.type('application/json; charset=utf-8').send(late) as unknown as T;
}
