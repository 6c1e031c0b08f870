import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../access/caller.js';
import { isHopByHop, namedByConnection } from './hop-by-hop.js';

/** What the gateway knows of a request and tells the service. */
export interface Provenance {
  readonly requestId: string;
  readonly caller: Caller;
  readonly internalSecret: string | undefined;
  readonly clientAddress: string;
  readonly protocol: string;
  readonly host: string | undefined;
  /** What a browser puts before `/api/...`. */
  readonly prefix: string;
  /** The rings that the answer must have heard, as {@link BellMemory} writes them. */
  readonly bells: string;
  /** The newest version of the settings that this gateway has told anybody of; 0 before the first. */
  readonly settingsVersion: number;
}

const plainHost = /^[\w.:[\]-]{1,255}$/;

/** Headers that only the gateway may set, and those that only it reads: nothing of the outside passes under these. */
function isOurs(name: string): boolean {
  if (name.charCodeAt(0) === 120 /* x */) {
    return name.startsWith('x-hub-') || name.startsWith('x-forwarded-') || name === 'x-request-id';
  }
  return name === 'host' || name === 'forwarded' || name === 'cookie' || name === 'authorization';
}

function describeProvenance(known: Provenance): string[] {
  const pairs = ['x-request-id', known.requestId, 'x-hub-caller', known.caller];
  pairs.push('x-forwarded-for', known.clientAddress);
  pairs.push('x-forwarded-proto', known.protocol === 'https' ? 'https' : 'http');
  if (known.host !== undefined && plainHost.test(known.host)) pairs.push('x-forwarded-host', known.host);
  if (known.prefix) pairs.push('x-forwarded-prefix', known.prefix);
  if (known.internalSecret !== undefined) pairs.push('x-hub-internal', known.internalSecret);
  if (known.bells) pairs.push('x-hub-bell', known.bells);
  if (known.settingsVersion) pairs.push('x-hub-settings', String(known.settingsVersion));
  return pairs;
}

/** The headers of a request as the service gets them: names and values in turn. */
export function forwardedHeaders(
  headers: IncomingHttpHeaders,
  hasBody: boolean,
  known: Provenance,
): string[] {
  const named = namedByConnection(headers.connection);
  const pairs = describeProvenance(known);
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isOurs(name) || isHopByHop(name, named)) continue;
    if (name === 'content-length' && !hasBody) continue;
    pairs.push(name, typeof value === 'string' ? value : value.join(', '));
  }
  return pairs;
}
