import type { IncomingHttpHeaders } from 'node:http';
import { type CallerToken, callerTokenHeader, writeCallerToken } from '@birdhub/shared/app';
import type { Caller } from '../auth/access.js';

/** What the gateway knows of a request and sends to the service. */
export interface Provenance {
  readonly requestId: string;
  readonly caller: Caller;
  /** The access token of the request; it is described to the service and not sent. */
  readonly token: CallerToken | undefined;
  readonly internalSecret: string | undefined;
  readonly clientAddress: string;
  readonly protocol: string;
  readonly host: string | undefined;
  /** What a browser puts before `/api/...`. */
  readonly prefix: string;
  /** The changes that the response must include, as `ConsistencyTokens` writes them. */
  readonly consistencyTokens: string;
  /** The newest version of the settings that a response through this gateway named; 0 before the first. */
  readonly settingsVersion: number;
}

/** Returns the headers of a request as the service gets them: names and values in turn. */
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
 * Returns the headers of a response as the client gets them, names and values in turn: those of the gateway, and those
 * of the service that the gateway has not set itself.
 */
export function responseHeaders(
  headers: IncomingHttpHeaders,
  own: Readonly<Record<string, HeaderValue>>,
): string[] {
  const named = namedByConnection(headers.connection);
  const pairs: string[] = [];
  for (const name in own) {
    // A service may have a policy of its own for its pages.
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

/** Headers of the gateway that a service may replace. */
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

/** Request headers that only the gateway may set, and those that only it reads; a client's are not forwarded. */
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

/** Response headers between services and gateway; of the hub's own only one is for clients. */
const isInternal = (name: string) => name.startsWith('x-hub-') && name !== 'x-hub-ignored';

/** Headers that concern one connection only (RFC 9110 §7.6.1), and `Expect`, which Node handles itself. */
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

/** Returns the headers that `Connection` names beside the usual ones, in lower case. */
function namedByConnection(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return none;
  const names = String(connection).toLowerCase().split(',');
  return new Set(names.map((name) => name.trim()));
}

/** Whether a header must not be forwarded. `name` is in lower case. */
function isHopByHop(name: string, named: ReadonlySet<string>): boolean {
  return hopByHop.has(name) || (named.size > 0 && named.has(name));
}
