import type { IncomingMessage } from 'node:http';
import { withAnySignal } from '../async/index.js';
import { isRedirect, redirectTarget, requestGuarded } from './guarded-request.js';
import { RefusedAddressError } from './outgoing-guard.js';
import { readLimited } from './read-limited.js';
import type { ServiceGuard } from './service-guard.js';

/** Options and limits of a download. */
export interface DownloadOptions {
  readonly guard: Pick<ServiceGuard, 'admit'>;
  readonly maxBytes: number;
  /** For the entire download, including redirects. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Value of the `Accept` header. */
  readonly accept: string;
}

interface DownloadFailure {
  readonly reason?: string;
  readonly cause?: unknown;
  readonly isLate?: boolean;
}

/** Thrown when a download fails. It does not contain the address, which may include secrets. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** For the log only: callers could learn from it what else listens in the network. */
  readonly reason: string;
  /** Whether the time limit was exceeded. */
  readonly isLate: boolean;

  constructor(message: string, { reason = message, cause, isLate = false }: DownloadFailure = {}) {
    super(message, { cause });
    this.reason = reason;
    this.isLate = isLate;
  }
}

/** Returns the error of a connection or server; its message is the same for all of them. */
const failed = (reason: string, cause?: unknown, isLate = false) =>
  new DownloadError('cannot be fetched', { reason, cause, isLate });

const maxRedirects = 3;

/**
 * Downloads an address into memory. Redirects are followed on the same host only.
 * @throws DownloadError, the reason of the signal
 */
export async function download(start: URL, options: DownloadOptions): Promise<Buffer> {
  const { timeoutMs, signal } = options;
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await withAnySignal([signal, late], (ended) => followRedirects(start, options, ended));
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DownloadError) throw error;
    if (error instanceof RefusedAddressError && !error.isOwn)
      throw new DownloadError(`cannot be fetched: ${error.message}`, { cause: error });
    if (late.aborted) throw failed(`not sent within ${timeoutMs} ms`, error, true);
    throw failed(reasonOf(error), error);
  }
}

async function followRedirects(start: URL, options: DownloadOptions, signal: AbortSignal): Promise<Buffer> {
  const { guard, accept, maxBytes } = options;
  const headers = { accept, 'accept-encoding': 'identity' };
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await requestGuarded(url, { guard, signal, headers });
    try {
      if (!isRedirect(response)) return await readFile(response, maxBytes);
    } finally {
      response.destroy();
    }
    url = nextUrl(url, response);
  }
  throw failed('redirected too often');
}

async function readFile(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const { statusCode, headers } = response;
  if (statusCode !== 200) throw failed(`status ${statusCode}`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const body = await readLimited(response, maxBytes, () => tooLarge(maxBytes));
  if (!response.complete) throw failed('sent in part');
  return body;
}

const tooLarge = (maxBytes: number) => new DownloadError(`must be at most ${maxBytes} bytes`);

function nextUrl(url: URL, response: IncomingMessage): URL {
  const next = redirectTarget(url, response);
  if (!next) throw failed('redirected to nowhere');
  if (next.hostname !== url.hostname) throw failed('redirected to another host');
  return next;
}

function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}
