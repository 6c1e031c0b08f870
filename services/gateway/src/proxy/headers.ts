import type { IncomingHttpHeaders } from 'node:http';
import { type CallerRole, type CallerToken, callerTokenHeader, writeCallerToken } from '@birdhub/shared/app';

/** Facts about a request that the gateway adds as headers for the service. */
export interface Provenance {
  readonly requestId: string;
  readonly caller: CallerRole;
  /** The access token of the request, which is described to the service but not forwarded. */
  readonly token: CallerToken | undefined;
  readonly internalSecret: string | undefined;
  readonly clientAddress: string;
  readonly protocol: string;
  readonly host: string | undefined;
  /** The path prefix of the hub in the browser. */
  readonly prefix: string;
  /** The changes that the response must include, see `ConsistencyTokens`. */
  readonly consistencyTokens: string;
  /** The newest version of the settings in responses through this gateway; 0 initially. */
  readonly settingsVersion: number;
}

/** Returns the request headers for the service as alternating names and values. */
export function requestHeaders(headers: IncomingHttpHeaders, hasBody: boolean, known: Provenance): string[] {
  const named = namedByConnection(headers.connection);
  const pairs = describeProvenance(known);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isSetByGateway(name) || isHopByHop(name, named)) continue;
    if (name === 'content-length' && !hasBody) continue;
    if (name === 'x-processor-token' && known.token !== undefined) continue;
    pairs.push(name, typeof value === 'string' ? value : value.join(', '));
  }
  return pairs;
}

/**
 * Returns the response headers for the client as alternating names and values: those of the gateway, and those of the
 * service that the gateway does not set.
 */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  own: Readonly<Record<string, HeaderValue>>,
): string[] {
  const named = namedByConnection(headers.connection);
  const pairs: string[] = [];
  for (const name in own) {
    // A service may set its own policy for its pages.
    if (policies.has(name) && headers[name] !== undefined) continue;
    const isShared = name === 'vary' && headers.vary !== undefined;
    addPairs(pairs, name, isShared ? `${own[name]}, ${headers.vary}` : own[name]);
  }
  for (const name in headers) {
    const isOfGateway = own[name] !== undefined && !policies.has(name);
    if (isOfGateway || isInternal(name) || isHopByHop(name, named)) continue;
    addPairs(pairs, name, headers[name]);
  }
  return pairs;
}

/** Headers of the gateway that a service may override. */
const policies: ReadonlySet<string> = new Set(['content-security-policy', 'referrer-policy']);

type HeaderValue = number | string | readonly string[] | undefined;

function addPairs(pairs: string[], name: string, value: HeaderValue): void {
  if (typeof value === 'object') for (const one of value) pairs.push(name, one);
  else if (value !== undefined) pairs.push(name, String(value));
}

const plainHost = /^[\w.:[\]-]{1,255}$/;

function describeProvenance(known: Provenance): string[] {
  const pairs = ['x-request-id', known.requestId, 'x-hub-caller', known.caller];
  if (known.token !== undefined) pairs.push(callerTokenHeader, writeCallerToken(known.token));
  pairs.push('x-forwarded-for', known.clientAddress);
  pairs.push('x-forwarded-proto', known.protocol === 'https' ? 'https' : 'http');
  if (known.host !== undefined && plainHost.test(known.host)) pairs.push('x-forwarded-host', known.host);
  if (known.prefix) pairs.push('x-forwarded-prefix', known.prefix);
  if (known.internalSecret !== undefined) pairs.push('x-hub-internal', known.internalSecret);
  if (known.consistencyTokens) pairs.push('x-hub-consistency-token', known.consistencyTokens);
  if (known.settingsVersion) pairs.push('x-hub-settings', String(known.settingsVersion));
  return pairs;
}

/** Whether a request header is reserved for the gateway; the values of clients are not forwarded. */
function isSetByGateway(name: string): boolean {
  if (name.charCodeAt(0) === 120 /* x */) {
    return (
      name.startsWith('x-hub-') ||
      name.startsWith('x-forwarded-') ||
      name === 'x-request-id' ||
      name === 'x-ingress-path'
    );
  }
  return name === 'host' || name === 'forwarded' || name === 'cookie' || name === 'authorization';
}

/** Response headers between services and gateway; `x-hub-ignored` is the only one for clients. */
const isInternal = (name: string) => name.startsWith('x-hub-') && name !== 'x-hub-ignored';

/** Hop-by-hop headers (RFC 9110 §7.6.1), and `Expect`, which Node handles itself. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const none: ReadonlySet<string> = new Set();

/** Returns the further headers that `Connection` names, in lower case. */
function namedByConnection(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  const names = String(connection).toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()));
}

/** Whether a header must not be forwarded. `name` is in lower case. */
function isHopByHop(name: string, named: ReadonlySet<string>): boolean {
  return hopByHop.has(name) || (named.size > 0 && named.has(name));
}
