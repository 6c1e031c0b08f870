import { setTimeout as wait } from 'node:timers/promises';
import { ProcessorNetworkError, ProcessorResponseError } from './processor-error.js';
import { retryDelayMs } from './retry-delay.js';

const defaultTimeoutMs = 30_000;

/** Dependencies and options of {@link sendWithRetries}. */
export interface Sending {
  fetch: typeof fetch;
  retries: number;
  headers: Record<string, string>;
  /** Of an attempt; default 30 s. */
  timeoutMs?: number | undefined;
  /** Aborts requests and delays immediately. */
  signal?: AbortSignal;
}

type Outcome = { text: string } | { error: Error; retryAfter: string | null; retryable: boolean };

/**
 * Sends JSON and returns the JSON response. Responses with a status of 500 or more and network errors are retried at most
 * `retries` times; other errors are final.
 *
 * @throws ProcessorResponseError, ProcessorNetworkError after the last attempt
 */
export async function sendWithRetries(
  sending: Sending,
  method: string,
  url: string,
  body: unknown,
): Promise<unknown> {
  const route = `${method} ${url}`;
  const payload = JSON.stringify(body);
  // A signal per call, because Node warns of a leak when many concurrent calls listen to the same one.
  const signal = sending.signal && AbortSignal.any([sending.signal]);
  for (let attempt = 1; ; attempt += 1) {
    const outcome = await attemptOnce(sending, method, url, payload);
    if ('text' in outcome) return parseAnswer(route, outcome.text);
    if (!outcome.retryable || attempt > sending.retries) throw outcome.error;
    const delayMs = retryDelayMs(attempt, outcome.retryAfter, Date.now(), Math.random());
    await wait(delayMs, undefined, { signal });
  }
}

async function attemptOnce(sending: Sending, method: string, url: string, payload: string): Promise<Outcome> {
  const route = `${method} ${url}`;
  const timeout = AbortSignal.timeout(sending.timeoutMs ?? defaultTimeoutMs);
  const signal = sending.signal === undefined ? timeout : AbortSignal.any([timeout, sending.signal]);
  const headers = { 'content-type': 'application/json', ...sending.headers };
  try {
    const response = await sending.fetch(url, { method, headers, body: payload, signal });
    const text = await response.text();
    if (response.ok) return { text };
    const error = new ProcessorResponseError(route, response.status, codeOf(text), text);
    return { error, retryAfter: response.headers.get('retry-after'), retryable: response.status >= 500 };
  } catch (cause) {
    sending.signal?.throwIfAborted();
    return { error: new ProcessorNetworkError(route, cause), retryAfter: null, retryable: true };
  }
}

function parseAnswer(route: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${route} returned no valid JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/** Returns the code of an error body; undefined for other bodies, such as the error page of a proxy. */
function codeOf(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body: { code?: unknown } = JSON.parse(text);
    return typeof body.code === 'string' ? body.code : undefined;
  } catch {
    return undefined;
  }
}
