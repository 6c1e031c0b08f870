import { promises as dns, type LookupAddress, type LookupOptions } from 'node:dns';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A request to an external service. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** How the host is resolved; the default when not set. */
  readonly lookup?: LookupFunction;
}

/** A response. Redirects are not followed, as one could lead into the hub's own network. */
export interface OutgoingResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly text: string;
}

/** Thrown without a response. The message has neither address nor headers, as they may contain secrets. */
export class NoResponseError extends Error {
  override readonly name = 'NoResponseError';
  /** Whether the connection was established, so that the request may have arrived. */
  readonly mayHaveArrived: boolean;

  constructor(reason: string, mayHaveArrived: boolean, options: { cause?: unknown } = {}) {
    super(reason, options);
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

/** A status counts as a response even when the body cannot be read. */
async function toResponse(response: IncomingMessage): Promise<OutgoingResponse> {
  const text = await readBeginning(response).catch(() => '');
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
}

function open({ url, headers, body, timeoutMs, lookup }: OutgoingRequest): ClientRequest {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  return send(url, {
    method: 'POST',
    // A new connection: once established, the request may have arrived.
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
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return await toResponse(response);
  } catch (error) {
    throw new NoResponseError(reasonOf(error, outgoing.timeoutMs), isConnected, { cause: error });
  } finally {
    // Destroying the request while its body is read may emit an error after the result.
    request.on('error', () => undefined);
    request.destroy();
  }
}

/** Thrown for an address that the hub does not send to. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError';
}

/** Resolves all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

/** Prevents requests to untrusted addresses from reaching the hub's own network (SSRF). */
export interface OutgoingGuard {
  /**
   * Rejects a host that is, or resolves to, a private address; a host that does not resolve passes.
   * @throws RefusedAddressError
   */
  check(url: URL): Promise<void>;
  /** Resolves for a connection, so that it reaches the checked address and no other; rejects likewise. */
  readonly lookup: LookupFunction;
  /** Whether private addresses, and subscriptions over plain HTTP, are allowed. */
  readonly allowsPrivate: boolean;
}

const isPrivate = ({ address }: LookupAddress) => !isPublicAddress(address);
/** Names of this host, however they resolve (RFC 6761). */
const localhostName = /(?:^|\.)localhost\.?$/i;
const refusal = () => new RefusedAddressError('the host is a private address');

/** The global unicast addresses of IPv6; `ipaddr.js` counts others as unicast, too. */
const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** Creates a guard; private addresses are allowed for tests and webhooks at home. */
export function createOutgoingGuard(
  allowsPrivate: boolean,
  resolve: Resolve = (host) => dns.lookup(host, { all: true }),
): OutgoingGuard {
  async function resolveSafely(host: string): Promise<readonly LookupAddress[]> {
    if (!allowsPrivate && localhostName.test(host)) throw refusal();
    const found = await resolve(host);
    if (!allowsPrivate && found.some(isPrivate)) throw refusal();
    return found;
  }

  async function check({ hostname }: URL): Promise<void> {
    if (allowsPrivate) return;
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host)) {
      if (!isPublicAddress(host)) throw refusal();
      return;
    }
    try {
      await resolveSafely(host);
    } catch (error) {
      if (error instanceof RefusedAddressError) throw error;
    }
  }

  const lookup: LookupFunction = (host, options, done) => {
    resolveSafely(host).then(
      (found) => {
        const usable = withFamily(found, options);
        const [first] = usable;
        if (!first) done(new Error(`${host} has no address`), []);
        else if (options.all) done(null, usable);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, []),
    );
  };

  return { check, lookup, allowsPrivate };
}

function withFamily(found: readonly LookupAddress[], { family }: LookupOptions): LookupAddress[] {
  const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
  return found.filter((entry) => !wanted || entry.family === wanted);
}

/** Returns whether a text is a public IP address (IANA special-purpose registries). */
export function isPublicAddress(address: string): boolean {
  // The library alone would accept other spellings, such as 127.1.
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}
