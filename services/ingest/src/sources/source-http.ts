import { type FileHandle, open, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { withAnySignal } from '@birdhub/shared/async';
import { isRedirect, redirectTarget, requestGuarded, type ServiceGuard } from '@birdhub/shared/outgoing';
import { describeRefusal, type Sentence, say } from './sentences.js';
import {
  type DownloadRequest,
  type SourceDownload,
  type SourceHttp,
  type SourceRequest,
  type SourceResponse,
  type TestStageName,
  UpstreamError,
} from './source-kind.js';

/** Options and limits of requests to a source. */
export interface SourceHttpOptions {
  /** The address of the source without a trailing slash; undefined when it has none. */
  readonly url: string | undefined;
  readonly guard: ServiceGuard;
  /** Timeout of a request and its response. Default 30 s. */
  readonly timeoutMs?: number;
  /** Maximum time without data. Default 30 s for files, 90 s for events. */
  readonly idleTimeoutMs?: number;
  /** Timeout of a whole file. Default 15 minutes. */
  readonly downloadTimeoutMs?: number;
  /** Maximum size of a file, regardless of the limit of a request. */
  readonly maxFileBytes?: number;
}

const maxTextBytes = 16 * 1024 * 1024;
/** Maximum characters of a line, and of the data of an event. */
const maxEventLength = 1024 * 1024;
const maxEventLines = 10_000;
const maxRedirects = 3;
const defaultTimeoutMs = 30_000;
const defaultEventIdleMs = 90_000;
const defaultDownloadMs = 15 * 60_000;

/** Creates the HTTP client of a source. */
export function createSourceHttp(options: SourceHttpOptions): SourceHttp {
  const { timeoutMs = defaultTimeoutMs } = options;
  return {
    async request(path, request = {}) {
      const timeout = AbortSignal.timeout(timeoutMs);
      return attempt(request.signal, timeout, async (signal) => {
        const response = await send(options, path, request, signal);
        return { ...headOf(response), text: await readText(response) };
      });
    },
    async download(path, file, request) {
      const timeout = AbortSignal.timeout(options.downloadTimeoutMs ?? defaultDownloadMs);
      return attempt(request.signal, timeout, (signal) => downloadTo(options, path, file, request, signal));
    },
    events: (path, request) => readEvents(options, path, request),
  };
}

/** Runs work until one of the signals fires. @throws UpstreamError, the reason of the caller's signal */
async function attempt<T>(
  given: AbortSignal | undefined,
  timeout: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await withAnySignal([given, timeout], work);
  } catch (error) {
    given?.throwIfAborted();
    throw toUpstreamError(error, timeout.aborted);
  }
}

/** Node's errors contain the address with its query, so only known codes are translated. */
function toUpstreamError(
  error: unknown,
  hasTimedOut: boolean,
  stage: TestStageName = 'address',
): UpstreamError {
  if (error instanceof UpstreamError) return error;
  if (hasTimedOut) return new UpstreamError(stage, say('too_slow'));
  const refusal = describeRefusal(error);
  if (refusal) return new UpstreamError(stage, refusal);
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  const known = reasons[code];
  if (known) return new UpstreamError(stage, known);
  if (/^(CERT|DEPTH|ERR_TLS|SELF_SIGNED|UNABLE_TO)/.test(code))
    return new UpstreamError(stage, say('certificate', { code }));
  const isOwn = syscall !== undefined && ['open', 'write', 'mkdir', 'close'].includes(syscall);
  if (isOwn) throw error;
  return new UpstreamError(stage, say('unreachable', { code: code || 'no response' }));
}

const reasons: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: say('no_listener'),
  ENOTFOUND: say('no_host'),
  EAI_AGAIN: say('name_unresolved'),
  EHOSTUNREACH: say('host_unreachable'),
  ENETUNREACH: say('network_unreachable'),
  ETIMEDOUT: say('host_silent'),
  ECONNRESET: say('connection_closed'),
  EPROTO: say('no_https'),
  ERR_SSL_WRONG_VERSION_NUMBER: say('no_https'),
  HPE_INVALID_CONSTANT: say('no_http'),
};

/** Returns the URL of a path. @throws UpstreamError when it leaves the origin of the source */
function toUrl(base: string | undefined, path: string, query: SourceRequest['query']): URL {
  if (base === undefined) throw new UpstreamError('address', say('no_address'));
  const url = new URL(`${base}/${path.replace(/^\/+/, '')}`);
  if (url.origin !== new URL(base).origin) throw new UpstreamError('address', say('path_leads_away'));
  for (const [key, value] of Object.entries(query ?? {}))
    if (value !== undefined) url.searchParams.set(key, String(value));
  return url;
}

async function send(
  { url: base, guard }: SourceHttpOptions,
  path: string,
  request: SourceRequest,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  let url = toUrl(base, path, request.query);
  let { method = 'GET', body } = request;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await sendOnce(url, { ...request, method, body }, guard, signal);
    if (!isRedirect(response) || request.redirect === 'manual') return response;
    response.destroy();
    url = nextUrl(url, response);
    const status = response.statusCode ?? 0;
    if (status === 303 || (method === 'POST' && status < 303)) [method, body] = ['GET', undefined];
  }
  throw new UpstreamError('address', say('redirects_too_often'));
}

function sendOnce(
  url: URL,
  { method, headers, body }: SourceRequest,
  guard: ServiceGuard,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const text = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  return requestGuarded(url, {
    guard,
    signal,
    method,
    body: text,
    allowsSelfSigned: true,
    headers: {
      accept: '*/*',
      'accept-encoding': 'gzip',
      ...(text && { 'content-type': 'application/json', 'content-length': text.length }),
      ...headers,
    },
  });
}

function nextUrl(url: URL, response: IncomingMessage): URL {
  const next = redirectTarget(url, response);
  if (response.headers.location === undefined)
    throw new UpstreamError('address', say('redirects_to_nowhere'));
  if (next?.hostname !== url.hostname) throw new UpstreamError('address', say('redirects_to_other_host'));
  if (url.protocol === 'https:' && next.protocol === 'http:')
    throw new UpstreamError('address', say('redirects_to_http'));
  return next;
}

function headOf({ statusCode = 0, headers }: IncomingMessage): Omit<SourceResponse, 'text'> {
  return { status: statusCode, headers };
}

const tooLarge = () => new UpstreamError('address', say('response_too_large'));

/** Reads a possibly compressed body; the limit applies to the decompressed text. */
async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      chunks.push(chunk);
      done(length > maxTextBytes ? tooLarge() : null);
    },
  });
  const encoding = response.headers['content-encoding'] ?? 'identity';
  if (encoding === 'gzip' || encoding === 'x-gzip') await pipeline(response, createGunzip(), collect);
  else await pipeline(response, collect);
  if (!response.complete) throw new UpstreamError('address', say('response_incomplete'));
  return Buffer.concat(chunks).toString('utf8');
}

/** Downloads a file. A failure after the start of the response has the stage `clip`, as upstream was reached. */
async function downloadTo(
  options: SourceHttpOptions,
  path: string,
  file: string,
  request: DownloadRequest,
  signal: AbortSignal,
): Promise<SourceDownload> {
  const maxBytes = Math.min(request.maxBytes, options.maxFileBytes ?? request.maxBytes);
  const identity = { ...request.headers, 'accept-encoding': 'identity' };
  const { timeoutMs = defaultTimeoutMs, idleTimeoutMs = defaultTimeoutMs } = options;
  const first = deadline(timeoutMs, signal);
  const response = await send(options, path, { ...request, headers: identity }, first.signal)
    .catch((error: unknown) => Promise.reject(toUpstreamError(error, first.hasTimedOut())))
    .finally(() => first.clear());
  const head = headOf(response);
  if (head.status !== 200) {
    response.destroy();
    return { ...head, sizeBytes: 0 };
  }
  const tooMuch = () => new UpstreamError('clip', say('file_too_large', { bytes: maxBytes }));
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy();
    throw tooMuch();
  }
  const idle = deadline(idleTimeoutMs, signal);
  let handle: FileHandle | undefined;
  let sizeBytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sizeBytes += chunk.length;
      idle.restart();
      done(sizeBytes > maxBytes ? tooMuch() : null, chunk);
    },
  });
  try {
    // Opened before the pipeline, which would otherwise leave a file behind when the connection is lost early.
    handle = await open(file, 'wx');
    await pipeline(response, count, handle.createWriteStream(), { signal: idle.signal });
    if (!response.complete) throw new UpstreamError('clip', say('response_incomplete'));
    return { ...head, sizeBytes };
  } catch (error) {
    await handle?.close().catch(() => undefined);
    if (handle) await unlink(file).catch(() => undefined);
    if (idle.hasTimedOut()) throw new UpstreamError('clip', say('file_stalled'));
    throw toUpstreamError(error, signal.aborted, 'clip');
  } finally {
    idle.clear();
    response.destroy();
  }
}

/** Returns a signal that fires `ms` after the last call of `restart`, or when `other` fires, until `clear` is called. */
function deadline(ms: number, other: AbortSignal | undefined) {
  const ended = new AbortController();
  let hasTimedOut = false;
  const start = () =>
    setTimeout(() => {
      hasTimedOut = true;
      ended.abort(new Error('timeout'));
    }, ms).unref();
  const abort = () => ended.abort(other?.reason);
  if (other?.aborted) abort();
  else other?.addEventListener('abort', abort, { once: true });
  let timer = start();
  return {
    signal: ended.signal,
    hasTimedOut: () => hasTimedOut,
    restart() {
      clearTimeout(timer);
      timer = start();
    },
    clear() {
      clearTimeout(timer);
      other?.removeEventListener('abort', abort);
    },
  };
}

/** Parses server-sent events (WHATWG HTML §9.2): the fields `event` and `data`. */
async function* readEvents(
  options: SourceHttpOptions,
  path: string,
  request: SourceRequest,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  const idle = deadline(options.idleTimeoutMs ?? defaultEventIdleMs, request.signal);
  let response: IncomingMessage | undefined;
  try {
    const headers = { accept: 'text/event-stream', ...request.headers, 'accept-encoding': 'identity' };
    response = await send(options, path, { ...request, headers }, idle.signal);
    if (response.statusCode !== 200)
      throw new UpstreamError('address', say('no_events', { status: response.statusCode ?? 0 }));
    let event = '';
    let data: string[] = [];
    let length = 0;
    for await (const line of readLines(response, () => idle.restart())) {
      if (line === '') {
        if (data.length) yield { event: event || 'message', data: data.join('\n') };
        [event, data, length] = ['', [], 0];
        continue;
      }
      const colon = line.indexOf(':');
      const name = colon < 0 ? line : line.slice(0, colon);
      const rest = colon < 0 ? '' : line.slice(colon + 1);
      const value = rest.startsWith(' ') ? rest.slice(1) : rest;
      if (name === 'event') event = value;
      else if (name === 'data') {
        data.push(value);
        length += value.length + 1;
        if (length > maxEventLength || data.length > maxEventLines) throw tooLarge();
      }
    }
  } catch (error) {
    request.signal?.throwIfAborted();
    throw toUpstreamError(error, idle.hasTimedOut());
  } finally {
    idle.clear();
    response?.destroy();
  }
}

/** Yields the lines of a stream, each of limited length, without searching the pending text again for each chunk. */
async function* readLines(stream: IncomingMessage, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  let mayHaveEnded = false;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    onChunk();
    const text = decoder.write(chunk);
    const hasEnd = mayHaveEnded || /[\r\n]/.test(text);
    const lines = hasEnd ? (pending + text).split(/\r\n|\n|\r(?!$)/) : [pending + text];
    pending = lines.pop() ?? '';
    // A trailing `\r` may be the first half of a line end.
    mayHaveEnded = text === '' ? mayHaveEnded : text.endsWith('\r');
    if (pending.length > maxEventLength) throw tooLarge();
    yield* lines;
  }
}
