import { HubError } from '@birdhub/shared/errors';

/** Says how long to wait; `ttlMs` is the time until the next attempt may be made. */
export function tooManyAttempts(ttlMs: number): HubError {
  return new HubError('too_many_attempts', { retryAfterSeconds: Math.max(1, Math.ceil(ttlMs / 1000)) });
}
