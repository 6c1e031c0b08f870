const firstDelayMs = 200;
const maxDelayMs = 30_000;

/**
 * Returns the delay before a retry in ms: that of `Retry-After` (RFC 9110 §10.2.3, seconds or a date), else 200 ms,
 * doubled with each attempt, with a jitter of up to a half, so that clients do not retry at the same time.
 *
 * @param attempt number of failed attempts, from 1
 * @param random from 0 to 1, exclusive
 */
export function retryDelayMs(
  attempt: number,
  retryAfter: string | null,
  now: number,
  random: number,
): number {
  const requestedMs = retryAfter === null ? undefined : parseRetryAfter(retryAfter, now);
  const delayMs = requestedMs ?? firstDelayMs * 2 ** (attempt - 1) * (1 + random / 2);
  return Math.min(delayMs, maxDelayMs);
}

function parseRetryAfter(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
