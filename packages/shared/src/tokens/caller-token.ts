import type { IncomingHttpHeaders } from 'node:http';
import { HubError } from '../errors/index.js';

/** The access token of a caller, as the gateway describes it to services; never the token itself. */
export interface CallerToken {
  readonly name: string;
  /** The cameras that it may post for; undefined for all. */
  readonly cameras: readonly string[] | undefined;
}

/** The header in which the gateway describes the access token of a caller. */
export const callerTokenHeader = 'x-hub-token';

/** Returns the value of {@link callerTokenHeader}: names may have any characters, headers may not. */
export function writeCallerToken({ name, cameras }: CallerToken): string {
  return Buffer.from(JSON.stringify({ name, cameras })).toString('base64url');
}

/**
 * Returns the access token of a caller; undefined when it brought none.
 * @throws HubError forbidden, for what no gateway has written
 */
export function callerTokenOf({
  headers,
}: {
  readonly headers: IncomingHttpHeaders;
}): CallerToken | undefined {
  const written = headers[callerTokenHeader];
  if (written === undefined) return undefined;
  try {
    const { name, cameras } = JSON.parse(Buffer.from(String(written), 'base64url').toString()) as CallerToken;
    if (typeof name === 'string' && (cameras === undefined || Array.isArray(cameras)))
      return { name, cameras };
  } catch {
    // Reported below.
  }
  throw new HubError('forbidden');
}
