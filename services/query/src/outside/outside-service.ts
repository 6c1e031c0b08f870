import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';
import { type FetchLimits, fetchJson, type OutsideRequest } from './fetch-json.js';
import { OutsideError } from './outside-error.js';

/** A service outside the hub that is left alone for a while when it keeps failing. */
export interface OutsideService {
  readonly name: string;
  /** @throws OutsideError in at most four seconds, at once while it is left alone */
  getJson(request: OutsideRequest): Promise<unknown>;
}

/** What a service outside is asked with. */
export interface OutsideServiceOptions {
  readonly userAgent: string;
  readonly log: Logger;
  readonly limits?: FetchLimits;
  /** How long it is left alone before the next try, in ms. */
  readonly restMs?: number;
}

const usualLimits: FetchLimits = { timeoutMs: 4_000, mostBytes: 4 * 1024 * 1024 };
const failuresBeforeRest = 3;
const countedMs = 60_000;

/** A circuit breaker of its own for one service. Refusals, as for a wrong key, do not open it. */
export function createOutsideService(name: string, options: OutsideServiceOptions): OutsideService {
  const { userAgent, log, limits = usualLimits, restMs = 30_000 } = options;
  const breaker = new CircuitBreaker((request: OutsideRequest) => fetchJson(request, userAgent, limits), {
    timeout: false,
    volumeThreshold: failuresBeforeRest,
    errorThresholdPercentage: 50,
    rollingCountTimeout: countedMs,
    resetTimeout: restMs,
    enableSnapshots: false,
    rollingPercentilesEnabled: false,
    errorFilter: (error) => error instanceof OutsideError && error.isRefusal,
  });
  breaker.on('open', () => log.warn({ outside: name }, 'outside service keeps failing, left alone'));
  breaker.on('close', () => log.info({ outside: name }, 'outside service answers again'));

  return {
    name,
    async getJson(request) {
      try {
        return await breaker.fire(request);
      } catch (error) {
        if (error instanceof OutsideError) throw error;
        throw new OutsideError(`${name} keeps failing and is left alone`);
      }
    },
  };
}
