import type { HubApp } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import { tokensIn } from '../session/session-cookie.js';
import { showsToken } from './bearer.js';
import { isCrossSite } from './cross-site.js';

/** What is looked at before anything else. */
export interface FrontDoorOptions {
  readonly mcpToken: string | undefined;
  readonly corsOrigins: ReadonlySet<string>;
}

/** Refuses, whatever is asked for, a wrong token, and what a page of another site does in the name of a session. */
export function frontDoor(app: HubApp, { mcpToken, corsOrigins }: FrontDoorOptions): void {
  app.decorateRequest('showsToken', false);
  app.decorateRequest('caller', 'viewer');
  app.addHook('onRequest', (request, _reply, done) => {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined) request.showsToken = showsToken(authorization, mcpToken);
    if (tokensIn(cookie).length && isCrossSite(request, corsOrigins)) throw new HubError('csrf_rejected');
    done();
  });
}
