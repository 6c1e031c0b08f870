import type { FastifyRequest } from 'fastify';
import { publicPrefix } from './public-prefix.js';

/** Where the hub stands as this gateway knows it, and whose word on it is believed. */
export interface PrefixOptions {
  /** Path below which the hub answers, without a slash at its end. */
  readonly basePath: string;
  readonly isTrusted: (address: string | undefined) => boolean;
}

/** What a browser puts before `/api/...` to reach what this request reached. */
export function prefixOf(request: FastifyRequest, { isTrusted, basePath }: PrefixOptions): string {
  const given = request.headers['x-forwarded-prefix'];
  if (given === undefined || !isTrusted(request.socket.remoteAddress)) return basePath;
  return publicPrefix(String(given), basePath);
}
