import { createHash } from 'node:crypto';
import { hubVersion } from '@birdhub/shared/config';
import { readLimited } from '@birdhub/shared/outgoing';
import CircuitBreaker from 'opossum';
import type { Logger } from 'pino';

/** A client of an external service with a circuit breaker. */
export interface ExternalService {
  readonly name: string;
  /** @throws ExternalServiceError after at most four seconds, immediately while the circuit is open */
  getJson(request: ExternalRequest): Promise<unknown>;
}

/** Dependencies of a client of an external service. */
export interface ExternalServiceDeps {
  readonly userAgent: string;
  readonly log: Logger;
  readonly limits?: FetchLimits;
  /** Time for which the circuit stays open, in ms. */
  readonly resetTimeoutMs?: number;
}

const defaultLimits: FetchLimits = { timeoutMs: 4_000, maxBytes: 4 * 1024 * 1024 };
const minFailures = 3;
const failureWindowMs = 60_000;

/** Creates a client with its own circuit breaker. Refusals, for example of a wrong key, do not open the circuit. */
export function createExternalService(name: string, deps: ExternalServiceDeps): ExternalService {
  const { userAgent, log, limits = defaultLimits, resetTimeoutMs = 30_000 } = deps;
  const breaker = new CircuitBreaker((request: ExternalRequest) => fetchJson(request, userAgent, limits), {
    timeout: false,
    volumeThreshold: minFailures,
    errorThresholdPercentage: 50,
    rollingCountTimeout: failureWindowMs,
    resetTimeout: resetTimeoutMs,
    enableSnapshots: false,
    rollingPercentilesEnabled: false,
    errorFilter: (error) => error instanceof ExternalServiceError && error.isRefusal,
  });
  breaker.on('open', () => log.warn({ service: name }, 'external service keeps failing, circuit opened'));
  breaker.on('close', () => log.info({ service: name }, 'external service responds again, circuit closed'));

  return {
    name,
    async getJson(request) {
      try {
        return await breaker.fire(request);
      } catch (error) {
        if (error instanceof ExternalServiceError) throw error;
        throw new ExternalServiceError(`${name} keeps failing and is not called for a while`);
      }
    },
  };
}

/** Thrown when a request to an external service fails. The message contains host and path, never query or headers. */
export class ExternalServiceError extends Error {
  override readonly name = 'ExternalServiceError';
  /** Whether the service works but refused this request, for example because of its key. */
  readonly isRefusal: boolean;
  /** Whether the service works but nothing exists at this address. */
  readonly isMissing: boolean;

  constructor(message: string, { isRefusal = false, isMissing = false } = {}) {
    super(message);
    this.isRefusal = isRefusal;
    this.isMissing = isMissing;
  }
}

/** A request to an external service. Keys are in the query or in headers. */
export interface ExternalRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** Redirects are not followed by default, as they could leak keys. */
  readonly followsRedirects?: boolean;
}

/** Limits of one request. */
export interface FetchLimits {
  /** Timeout of the entire request, until the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum size of the uncompressed response. */
  readonly maxBytes: number;
}

const notFound = 404;
const tooManyRequests = 429;

/** Errors of `fetch` may contain the address with its query, so only their code is used. */
function reasonOf(error: unknown, { timeoutMs }: FetchLimits): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `took longer than ${timeoutMs} ms`;
  const { code = error.name } = (error.cause ?? {}) as { code?: string };
  return `is not reachable (${code})`;
}

async function readText({ body }: Response, where: string, maxBytes: number): Promise<string> {
  if (!body) return '';
  const tooLarge = () => new ExternalServiceError(`${where} returned more than ${maxBytes} bytes`);
  return (await readLimited(body, maxBytes, tooLarge)).toString('utf8');
}

async function refuse({ status, body }: Response, where: string): Promise<never> {
  await body?.cancel();
  const isRefusal = status >= 400 && status < 500 && status !== tooManyRequests;
  throw new ExternalServiceError(`${where} responded with status ${status}`, {
    isRefusal,
    isMissing: status === notFound,
  });
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ExternalServiceError(`${where} did not return JSON`);
  }
}

/**
 * Fetches JSON from an external service.
 * @throws ExternalServiceError when the response is late, too large, unreachable, not JSON, or not 2xx
 */
async function fetchJson(
  { url, headers, followsRedirects = false }: ExternalRequest,
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
    return parse(await readText(response, where, limits.maxBytes), where);
  } catch (error) {
    if (error instanceof ExternalServiceError) throw error;
    throw new ExternalServiceError(`${where} ${reasonOf(error, limits)}`);
  }
}

/** The `User-Agent` for external services. */
export const userAgent = `Birdhub/${hubVersion} (self-hosted bird visit monitoring hub)`;

/** Returns the URL of a path below a base, with the defined parameters. */
export function requestUrl(
  base: string,
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {},
): URL {
  const url = new URL(`${base.replace(/\/+$/, '')}${path}`);
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(key, String(value));
  }
  return url;
}

/** Returns a short digest of the parts, which may include API keys. */
export function fingerprint(...parts: readonly (string | number | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

/** Returns the value if it is an object, else an empty object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : {};
}

/** Returns a finite number, also from text; null for anything else. */
export function numberOrNull(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

/** Returns a non-empty text; null for anything else. */
export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() ? value.trim() : null;
}
