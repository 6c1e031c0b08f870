import type { FastifyRequest } from 'fastify';
import type { Author } from './recording-types.js';

const roles: readonly unknown[] = ['contributor', 'admin'];

/** Who asks for a change, as the gateway says; nobody else may call. */
export function authorOf({ headers, id: requestId }: Pick<FastifyRequest, 'headers' | 'id'>): Author {
  const role = headers['x-hub-caller'];
  return { role: roles.includes(role) ? String(role) : 'unknown', requestId };
}
