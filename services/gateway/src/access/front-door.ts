import { type HubApp, isCrossSite } from '@birdhub/shared/app';
import { addressKey, type TokenAttempts } from '@birdhub/shared/attempts';
import { HubError, invalidField } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import { judgeBearer } from './bearer.js';
import { hostNameOf } from './host-names.js';

/** By which names the hub may be reached. */
export interface HostOptions {
  /** Whether the hub answers to the value of a `Host` header. */
  readonly isKnownHost: (header: string) => boolean;
  /** Whether the `X-Forwarded-Host` of this peer decides: one that `TRUSTED_PROXIES` names, not one trusted by default. */
  readonly isNamedProxy: (address: string | undefined) => boolean;
}

/** What is looked at before anything else. */
export interface FrontDoorOptions {
  readonly mcpToken: string | undefined;
  readonly bearerAttempts: Pick<TokenAttempts, 'requireNoWait' | 'countFailure'>;
  readonly corsOrigins: ReadonlySet<string>;
}

function hasSeveralHosts({ raw }: FastifyRequest): boolean {
  const names = raw.rawHeaders.filter((_, at) => at % 2 === 0);
  return names.filter((name) => name.toLowerCase() === 'host').length > 1;
}

/** A named proxy decides which names reach the hub; it says by which one the request came. */
function isForwardedByProxy(
  { headers, socket, host }: FastifyRequest,
  { isNamedProxy }: HostOptions,
): boolean {
  if (!headers['x-forwarded-host'] || !isNamedProxy(socket.remoteAddress)) return false;
  return hostNameOf(host) !== undefined;
}

/**
 * Refuses every request whose `Host` is no name of the hub: a page of another site can make its own name lead to the
 * hub's address (DNS rebinding), and would read and write as the hub's own pages do.
 */
export function requireKnownHost(app: HubApp, options: HostOptions): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasSeveralHosts(request)) throw invalidField('host', 'must be given once');
    const isKnown = options.isKnownHost(request.headers.host ?? '');
    if (!isKnown && !isForwardedByProxy(request, options)) throw new HubError('unknown_host');
    done();
  });
}

/** Refuses, whatever is asked for, a wrong token, and what a page of another site would change. */
export function frontDoor(app: HubApp, { mcpToken, bearerAttempts, corsOrigins }: FrontDoorOptions): void {
  async function refuseToken(address: string): Promise<never> {
    await bearerAttempts.countFailure(address);
    throw new HubError('invalid_token');
  }

  app.decorateRequest('showsToken', false);
  app.decorateRequest('caller', 'viewer');
  app.addHook('onRequest', (request, _reply, done) => {
    if (isCrossSite(request, corsOrigins)) throw new HubError('csrf_rejected');
    const shown = judgeBearer(request.headers.authorization, mcpToken);
    if (shown !== 'none') bearerAttempts.requireNoWait(addressKey(request));
    if (shown === 'wrong') return refuseToken(addressKey(request));
    request.showsToken = shown === 'right';
    done();
    return undefined;
  });
}
