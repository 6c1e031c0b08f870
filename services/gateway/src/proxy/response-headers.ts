import type { IncomingHttpHeaders } from 'node:http';
import { isHopByHop, namedByConnection } from './hop-by-hop.js';

/** The headers of a service's answer as the client gets them: names and values in turn. */
export function answeredHeaders(headers: IncomingHttpHeaders, requestId: string): string[] {
  const named = namedByConnection(headers.connection);
  const pairs = ['x-request-id', requestId];
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || name === 'x-request-id' || name.startsWith('x-hub-')) continue;
    if (isHopByHop(name, named)) continue;
    if (typeof value === 'string') pairs.push(name, value);
    else for (const one of value) pairs.push(name, one);
  }
  return pairs;
}
