import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { awaitResponse, RefusedAddressError } from '@birdhub/shared/outgoing';
import { type DeliveryFailure, refusedAddress, say, toEnglish } from './delivery-failures.js';

/** A request to an external service. */
export interface OutgoingRequest {
  readonly url: URL;
  /** Default `POST`. */
  readonly method?: 'POST' | 'PUT';
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** Resolves the host; default: that of Node. */
  readonly lookup?: LookupFunction;
}

/** A response. Redirects are not followed, as they could lead into the hub's own network. */
export interface OutgoingResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The start of the body. */
  readonly text: string;
}

/** Thrown when there is no response. The reason contains neither address nor headers, which may include secrets. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Whether the connection was established, so that the request may have arrived. */
  readonly mayHaveArrived: boolean;
  readonly reason: DeliveryFailure;

  constructor(reason: DeliveryFailure, mayHaveArrived: boolean, options: { cause?: unknown } = {}) {
    super(toEnglish(reason), options);
    this.reason = reason;
    this.mayHaveArrived = mayHaveArrived;
  }
}

const maxTextBytes = 2_048;

async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= maxTextBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxTextBytes).toString('utf8');
}

/** A status counts as a response even if the body cannot be read. */
async function toResponse(response: IncomingMessage): Promise<OutgoingResponse> {
  const text = await readBeginning(response).catch(() => '');
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
}

function open({ url, method = 'POST', headers, body, timeoutMs, lookup }: OutgoingRequest): ClientRequest {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return send(url, {
    method,
    // Uses a new connection: once it is established, the request may have arrived.
    agent: false,
    headers: { ...headers, 'content-length': body.length },
    signal: AbortSignal.timeout(timeoutMs),
    ...(lookup && { lookup }),
  });
}

function reasonOf(error: unknown, timeoutMs: number): DeliveryFailure {
  if (error instanceof RefusedAddressError) return refusedAddress(error);
  const { name, code } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError')
    return say('no_answer', { seconds: Math.round(timeoutMs / 100) / 10 });
  return say('unreachable', { code: code ?? name });
}

/**
 * Posts a body and returns the response.
 * @throws NoResponseError
 */
export async function sendRequest(outgoing: OutgoingRequest): Promise<OutgoingResponse> {
  const request = open(outgoing);
  let isConnected = false;
  request.once('socket', (socket) => {
    socket.once(outgoing.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
  });
  try {
    request.end(outgoing.body);
    return await toResponse(await awaitResponse(request));
  } catch (error) {
    throw new NoResponseError(reasonOf(error, outgoing.timeoutMs), isConnected, { cause: error });
  } finally {
    request.destroy();
  }
}
