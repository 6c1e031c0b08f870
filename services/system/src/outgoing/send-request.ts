import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

/** What is sent to a service outside. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** How the host is resolved; the usual way when not set. */
  readonly lookup?: LookupFunction;
}

/** What came back. Redirects are answers like others: following one could lead into the hub's own network. */
export interface OutgoingAnswer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
}

/** No answer came. Neither address nor headers are told, as they may hold secrets. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** Whether a connection stood, so that the request may have arrived. */
  readonly mayHaveArrived: boolean;

  constructor(reason: string, mayHaveArrived: boolean, options: { cause?: unknown } = {}) {
    super(reason, options);
    this.mayHaveArrived = mayHaveArrived;
  }
}

const mostTextBytes = 2_048;

async function readBeginning(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= mostTextBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostTextBytes).toString('utf8');
}

/** A status is an answer, whatever becomes of the body. */
async function toAnswer(response: IncomingMessage): Promise<OutgoingAnswer> {
  const text = await readBeginning(response).catch(() => '');
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
}

function open({ url, headers, body, timeoutMs, lookup }: OutgoingRequest): ClientRequest {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return send(url, {
    method: 'POST',
    // A connection of its own: whether it stands tells whether the request may have arrived.
    agent: false,
    headers: { ...headers, 'content-length': body.length },
    signal: AbortSignal.timeout(timeoutMs),
    ...(lookup && { lookup }),
  });
}

function reasonOf(error: unknown, timeoutMs: number): string {
  const { name, code, message } = error as NodeJS.ErrnoException;
  if (name === 'AbortError' || name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  if (name === 'RefusedAddressError') return message;
  return `not reachable (${code ?? name})`;
}

/**
 * Posts a body and answers what comes back.
 * @throws NoAnswerError
 */
export async function sendRequest(outgoing: OutgoingRequest): Promise<OutgoingAnswer> {
  const request = open(outgoing);
  let isConnected = false;
  request.once('socket', (socket) => {
    socket.once(outgoing.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
  });
  try {
    request.end(outgoing.body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await toAnswer(response);
  } catch (error) {
    throw new NoAnswerError(reasonOf(error, outgoing.timeoutMs), isConnected, { cause: error });
  } finally {
    // What is destroyed while its body is read may tell an error that nobody waits for any more.
    request.on('error', () => undefined);
    request.destroy();
  }
}
