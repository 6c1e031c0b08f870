import type { IncomingHttpHeaders } from 'node:http';
import type { Author } from './recording-types.js';

const roles: readonly unknown[] = ['contributor', 'admin'];

/** Who asks for a change, as the gateway says; nobody else may call. */
export function authorOf(request: { readonly headers: IncomingHttpHeaders; readonly id: string }): Author {
  const { headers, id: requestId } = request;
  const role = headers['x-hub-caller'];
  return { role: roles.includes(role) ? String(role) : 'unknown', requestId };
}
