import type { IncomingHttpHeaders } from 'node:http';
import { isHopByHop, namedByConnection } from './hop-by-hop.js';

type Value = number | string | readonly string[] | undefined;

function add(pairs: string[], name: string, value: Value): void {
  if (typeof value === 'object') for (const one of value) pairs.push(name, one);
  else if (value !== undefined) pairs.push(name, String(value));
}

/** Headers of the hub are for its gateways alone, but for the one that is meant for clients. */
const isInternal = (name: string) => name.startsWith('x-hub-') && name !== 'x-hub-ignored';

/**
 * The headers of an answer as the client gets them, names and values in turn: those of the gateway, and those of the
 * service that the gateway has not set itself.
 */
export function answeredHeaders(
  headers: IncomingHttpHeaders,
  own: Readonly<Record<string, Value>>,
): string[] {
  const named = namedByConnection(headers.connection);
  const pairs: string[] = [];
  for (const name in own) {
    const isShared = name === 'vary' && headers.vary !== undefined;
    add(pairs, name, isShared ? `${own[name]}, ${headers.vary}` : own[name]);
  }
  for (const name in headers) {
    if (own[name] !== undefined || isInternal(name) || isHopByHop(name, named)) continue;
    add(pairs, name, headers[name]);
  }
  return pairs;
}
