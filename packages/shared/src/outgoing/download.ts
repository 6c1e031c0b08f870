import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { withAnySignal } from '../async/index.js';
import { awaitResponse } from './await-response.js';
import { RefusedAddressError } from './outgoing-guard.js';
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

/** Thrown when a download fails. It does not contain the address, which may include secrets. */
export class DownloadError extends Error {
  override readonly name = 'DownloadError';
  /** For the log only: callers could learn from it what else listens in the network. */
  readonly reason: string;

  constructor(message: string, { reason = message, cause }: { reason?: string; cause?: unknown } = {}) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Returns the error of a connection or server; its message is the same for all of them. */
const failed = (reason: string, cause?: unknown) => new DownloadError('cannot be fetched', { reason, cause });

const maxRedirects = 3;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

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
    throw failed(late.aborted ? `not sent within ${timeoutMs} ms` : reasonOf(error), error);
  }
}

async function followRedirects(start: URL, options: DownloadOptions, signal: AbortSignal): Promise<Buffer> {
  let url = start;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const defaultPort = url.protocol === 'https:' ? 443 : 80;
    const admitted = options.guard.admit(url.hostname, Number(url.port) || defaultPort);
    const { lookup } = await withSignal(admitted, signal);
    const found = await get(url, options, lookup, signal);
    if (Buffer.isBuffer(found)) return found;
    url = nextUrl(url, found.location);
  }
  throw failed('redirected too often');
}

/** Returns the body, or the target of a redirect. */
async function get(
  url: URL,
  { maxBytes, accept }: DownloadOptions,
  lookup: LookupFunction,
  signal: AbortSignal,
): Promise<Buffer | { readonly location: string | undefined }> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { accept, 'accept-encoding': 'identity', 'user-agent': 'birdhub' };
  const request = send(url, { agent: false, headers, signal, lookup });
  try {
    request.end();
    const response = await awaitResponse(request);
    const { statusCode: status = 0, headers: given } = response;
    if (redirects.has(status)) return { location: given.location };
    if (status !== 200) throw failed(`status ${status}`);
    if (Number(given['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
    return await readBody(response, maxBytes);
  } finally {
    request.destroy();
  }
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  if (!response.complete) throw failed('sent in part');
  return Buffer.concat(chunks);
}

const tooLarge = (maxBytes: number) => new DownloadError(`must be at most ${maxBytes} bytes`);

function nextUrl(url: URL, location: string | undefined): URL {
  const isAddress = location !== undefined && URL.canParse(location, url.href);
  const next = isAddress ? new URL(location, url) : undefined;
  if (!next || !['http:', 'https:'].includes(next.protocol)) throw failed('redirected to nowhere');
  if (next.hostname !== url.hostname) throw failed('redirected to another host');
  return next;
}

/** Rejects when the signal fires, as resolving a name may take longer than the timeout. */
function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function reasonOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}
