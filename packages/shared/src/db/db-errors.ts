import { HubError } from '../errors/index.js';

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '08003',
  '53300',
  // Read only: the server that answers is a standby now.
  '25006',
]);
const diskCodes = new Set(['53100', 'ENOSPC']);
/** Out of memory, as for a lock too many. */
const busyCode = '53200';
/** Serialization failure, deadlock: the same transaction may well succeed now. */
const transientCodes = new Set(['40001', '40P01']);

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Whether repeating the same transaction at once may succeed. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error) ?? '');
}

/** The answer to a database error that has one of its own: not reachable, no space, too busy. */
export function translateDatabaseError(error: unknown): HubError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code && diskCodes.has(code))
    return new HubError('storage_full', { cause: error, retryAfterSeconds: 60 });
  if (isTransient(error) || code === busyCode)
    return new HubError('overloaded', { cause: error, retryAfterSeconds: 1 });
  const isLost =
    /connection (terminated|timeout|error)|timeout exceeded when trying to connect|query read timeout/i.test(
      error.message,
    );
  if ((code && connectionCodes.has(code)) || isLost) {
    return new HubError('database_unavailable', { cause: error, retryAfterSeconds: 5 });
  }
  return undefined;
}
