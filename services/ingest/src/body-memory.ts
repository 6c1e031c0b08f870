import { type HubApp, whileAwaited } from '@birdhub/shared/app';
import { createLimiter, type Limiter } from '@birdhub/shared/async';

/** Maximum total size of large bodies, which are held in memory; further requests wait. */
const maxBytes = 48 * 1024 * 1024;
/** Up to this size, bodies do not count. */
const smallBytes = 65_536;

/** Creates the limit of the memory for the bodies of all routes and for messages by MQTT, in bytes. */
export function createBodyMemory(max = maxBytes): Limiter {
  return createLimiter({ max, maxWaiting: 128, waitTimeoutMs: 15_000, retryAfterSeconds: 5 });
}

/**
 * Delays large bodies until there is memory for them, on every route that accepts them. Routes that stream their bodies
 * have a small limit. Rejects with 503 `busy` after a while.
 */
export function limitBodyMemory(app: HubApp, memory: Limiter): void {
  app.addHook('preParsing', async (request, reply) => {
    const { bodyLimit = 0 } = request.routeOptions;
    if (bodyLimit <= smallBytes) return;
    const length = Number(request.headers['content-length'] ?? bodyLimit);
    if (length <= smallBytes) return;
    const release = await memory.acquire({
      units: Math.min(length, bodyLimit),
      signal: whileAwaited(reply),
    });
    if (reply.raw.destroyed) release();
    else reply.raw.once('close', release);
  });
}
