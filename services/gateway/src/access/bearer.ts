import { isSameSecret } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';

const bearer = /^bearer(?:\s+|$)/i;

/**
 * Whether a request shows the token of `MCP_TOKEN`. Other schemes are not the hub's: a proxy before it may ask for them.
 * @throws HubError invalid_token when it shows another one, or none is configured
 */
export function showsToken(authorization: string | undefined, mcpToken: string | undefined): boolean {
  if (authorization === undefined || !bearer.test(authorization)) return false;
  const given = authorization.replace(bearer, '');
  if (mcpToken !== undefined && isSameSecret(given, mcpToken)) return true;
  throw new HubError('invalid_token');
}
