const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 30_000;

/**
 * Milliseconds to wait before a retry: what `Retry-After` asks for (RFC 9110 §10.2.3, seconds or a date), else
 * 200 ms doubled with each attempt and spread by up to a half so that several clients do not return together.
 *
 * @param attempt how many attempts have failed, from 1
 * @param random 0 to 1, exclusive
 */
export function retryDelayMs(
  attempt: number,
  retryAfter: string | null,
  now: number,
  random: number,
): number {
  const asked = retryAfter === null ? undefined : askedDelayMs(retryAfter, now);
  const delayMs = asked ?? FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 + random / 2);
  return Math.min(delayMs, LONGEST_DELAY_MS);
}

function askedDelayMs(retryAfter: string, now: number): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1000;
  const date = Date.parse(retryAfter);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
