import { isSameSecret } from '@birdhub/shared/app';

const bearer = /^bearer(?:\s+|$)/i;

/** What a request shows of `MCP_TOKEN`. */
export type ShownToken = 'none' | 'right' | 'wrong';

/** Judges the token of a request. Other schemes are not the hub's: a proxy before it may ask for them. */
export function judgeBearer(authorization: string | undefined, mcpToken: string | undefined): ShownToken {
  if (authorization === undefined || !bearer.test(authorization)) return 'none';
  const given = authorization.replace(bearer, '');
  return mcpToken !== undefined && isSameSecret(given, mcpToken) ? 'right' : 'wrong';
}
