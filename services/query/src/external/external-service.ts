import { readFileSync } from 'node:fs';
import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';

/** An external service with a circuit breaker. */
export interface OutsideService {
  readonly name: string;
  /** @throws OutsideError in at most four seconds, at once while the circuit is open */
  getJson(request: OutsideRequest): Promise<unknown>;
}

/** What a service outside is asked with. */
export interface OutsideServiceOptions {
  readonly userAgent: string;
  readonly log: Logger;
  readonly limits?: FetchLimits;
  /** How long the circuit stays open before the next attempt, in ms. */
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
  breaker.on('open', () => log.warn({ outside: name }, 'external service keeps failing, circuit opened'));
  breaker.on('close', () => log.info({ outside: name }, 'external service responds again, circuit closed'));

  return {
    name,
    async getJson(request) {
      try {
        return await breaker.fire(request);
      } catch (error) {
        if (error instanceof OutsideError) throw error;
        throw new OutsideError(`${name} keeps failing and is not called for a while`);
      }
    },
  };
}

/** A service outside the hub did not give what it was asked for. The text names host and path, never query or headers. */
export class OutsideError extends Error {
  override readonly name = 'OutsideError';
  /** Whether the service is well and refused this one request, for example because of its key. */
  readonly isRefusal: boolean;
  /** Whether the service is well and has nothing under this address. */
  readonly isMissing: boolean;

  constructor(message: string, { isRefusal = false, isMissing = false } = {}) {
    super(message);
    this.isRefusal = isRefusal;
    this.isMissing = isMissing;
  }
}

/** What is asked of a service outside. Keys travel in the query or in headers. */
export interface OutsideRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Not followed unless said so: they would carry keys elsewhere. */
  readonly followsRedirects?: boolean;
}

/** How long and how much is taken. */
export interface FetchLimits {
  /** From the first packet to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Of the unpacked answer. */
  readonly mostBytes: number;
}

const notFound = 404;
const tooManyRequests = 429;

/** Errors of `fetch` may quote the address with its query, so only their code is told. */
function reasonOf(error: unknown, { timeoutMs }: FetchLimits): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `took longer than ${timeoutMs} ms`;
  const { code = error.name } = (error.cause ?? {}) as { code?: string };
  return `is not reachable (${code})`;
}

async function readText(response: Response, where: string, mostBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new OutsideError(`${where} answered more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function refuse({ status, body }: Response, where: string): Promise<never> {
  await body?.cancel();
  const isRefusal = status >= 400 && status < 500 && status !== tooManyRequests;
  throw new OutsideError(`${where} answered ${status}`, { isRefusal, isMissing: status === notFound });
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new OutsideError(`${where} answered no JSON`);
  }
}

/**
 * The JSON that an external service returns.
 * @throws OutsideError when it is late, large, not reachable, not JSON, or not 2xx
 */
async function fetchJson(
  { url, headers, followsRedirects = false }: OutsideRequest,
  userAgent: string,
  limits: FetchLimits,
): Promise<unknown> {
  const where = `${url.host}${url.pathname}`;
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'user-agent': userAgent, ...headers },
      redirect: followsRedirects ? 'follow' : 'manual',
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    if (!response.ok) return await refuse(response, where);
    return parse(await readText(response, where, limits.mostBytes), where);
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    throw new OutsideError(`${where} ${reasonOf(error, limits)}`);
  }
}

const manifest = new URL('../../package.json', import.meta.url);

/** How the hub names itself to services outside. */
export function readUserAgent(): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  return `Birdhub/${version} (self-hosted bird visit monitoring hub)`;
}
