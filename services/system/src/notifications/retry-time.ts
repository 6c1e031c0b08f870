const firstPauseMs = 5_000;
const longestPauseMs = 5 * 60_000;
const growth = 3;

/** Milliseconds that a `Retry-After` header asks for (RFC 9110, 10.2.3); undefined for what is neither form. */
function readRetryAfter(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** An attempt that may be made again. */
export interface FailedAttempt {
  /** How many there were, this one included. */
  readonly attempts: number;
  readonly retryAfter?: string | undefined;
  /** When the message is no news any more, ms since the epoch. */
  readonly expiresAt: number;
}

/** When to try again, ms since the epoch; undefined when it would be too late then. */
export function retryTime(
  { attempts, retryAfter, expiresAt }: FailedAttempt,
  now: number,
): number | undefined {
  const pauseMs = Math.min(firstPauseMs * growth ** (attempts - 1), longestPauseMs);
  const asked = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, now);
  const at = now + (asked ?? pauseMs);
  return at < expiresAt ? at : undefined;
}
