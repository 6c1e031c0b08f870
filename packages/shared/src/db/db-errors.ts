import { errorCode, HubError, isDiskFull } from '../errors/index.js';
import { Prisma } from './generated/client.js';

const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // Write to a lost connection.
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08001',
  '08003',
  '53300',
  // Read-only: the server has become a standby.
  '25006',
  // Codes of Prisma: not reachable, timed out, connection closed.
  'P1001',
  'P1008',
  'P1017',
]);
const diskFullCode = '53100';
/** Out of memory, for example too many locks. */
const busyCode = '53200';
/** Serialization failure and deadlock: a retry is likely to succeed. */
const transientCodes = new Set(['40001', '40P01']);

/** An error of Prisma, which may wrap an error code of PostgreSQL. */
interface PrismaError {
  readonly clientVersion: string;
  readonly meta?: { readonly driverAdapterError?: { readonly cause?: { readonly originalCode?: string } } };
}

function isPrismaError(error: Error): error is Error & PrismaError {
  return 'clientVersion' in error;
}

/** Returns the code of PostgreSQL or the operating system, also when Prisma wrapped the error. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const original = isPrismaError(error) ? error.meta?.driverAdapterError?.cause?.originalCode : undefined;
  return original ?? errorCode(error);
}

/** Codes of a Unix socket: its file is missing while PostgreSQL is stopped, and its backlog may be full. */
const socketCodes = new Set(['ENOENT', 'EAGAIN']);

/** Whether connecting failed (not reading a file); Prisma keeps only the code of such an error. */
function isSocketRefused(error: Error): boolean {
  const isConnecting = isPrismaError(error) || ('syscall' in error && error.syscall === 'connect');
  return isConnecting && socketCodes.has(codeOf(error) ?? '');
}

/** Whether a statement of the Prisma Client failed because a unique key is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}

/** Whether an immediate retry of the transaction may succeed. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(codeOf(error) ?? '');
}

/** Returns the HubError of a database that is not reachable, out of space or overloaded; undefined for other errors. */
export function translateDatabaseError(error: unknown): HubError | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code === diskFullCode || isDiskFull(error))
    return new HubError('storage_full', { cause: error, retryAfterSeconds: 60 });
  if (isTransient(error) || code === busyCode)
    return new HubError('overloaded', { cause: error, retryAfterSeconds: 1 });
  const isLost =
    /connection (terminated|timeout|error)|timeout exceeded when trying to connect|query read timeout|client was closed/i.test(
      error.message,
    );
  if ((code && connectionCodes.has(code)) || isLost || isSocketRefused(error)) {
    return new HubError('database_unavailable', { cause: error, retryAfterSeconds: 5 });
  }
  return undefined;
}
