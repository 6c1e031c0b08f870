import { setTimeout as wait } from 'node:timers/promises';
import { ProcessorAnswerError, ProcessorNetworkError } from './processor-error.js';
import { retryDelayMs } from './retry-delay.js';

const ATTEMPT_TIMEOUT_MS = 30_000;

/** What sending needs, handed in so that a test decides about the network and the waiting. */
export type Sending = {
  fetch: typeof fetch;
  retries: number;
  headers: Record<string, string>;
  /** Ends requests and waits at once. */
  signal?: AbortSignal;
};

type Outcome = { text: string } | { error: Error; retryAfter: string | null; retryable: boolean };

/**
 * Sends JSON and reads the JSON answer. An answer of 500 and above and a network error are tried again, at most
 * `retries` times; any other refusal is final.
 *
 * @throws ProcessorAnswerError, ProcessorNetworkError after the last attempt
 */
export async function sendWithRetries(
  sending: Sending,
  method: string,
  url: string,
  body: unknown,
): Promise<unknown> {
  const route = `${method} ${url}`;
  const payload = JSON.stringify(body);
  // One of its own: a signal warns of a leak when many calls at once wait on it.
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
  const timeout = AbortSignal.timeout(ATTEMPT_TIMEOUT_MS);
  const signal = sending.signal === undefined ? timeout : AbortSignal.any([timeout, sending.signal]);
  const headers = { 'content-type': 'application/json', ...sending.headers };
  try {
    const response = await sending.fetch(url, { method, headers, body: payload, signal });
    const text = await response.text();
    if (response.ok) return { text };
    const error = new ProcessorAnswerError(route, response.status, codeOf(text), text);
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
    throw new Error(`${route} answered something that is not JSON: ${text.slice(0, 200)}`, { cause });
  }
}

/** A proxy between may answer with a page of its own, which has no code. */
function codeOf(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body: { code?: unknown } = JSON.parse(text);
    return typeof body.code === 'string' ? body.code : undefined;
  } catch {
    return undefined;
  }
}
