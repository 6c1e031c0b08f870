import { AsyncLocalStorage } from 'node:async_hooks';
import type { HubApp } from '@birdhub/shared/app';
import type { Bell } from '@birdhub/shared/db';

/** The last change that a request has made. */
const lastChange = new AsyncLocalStorage<{ token?: string }>();

/** The bell, whose tokens are noted for the request that rings it. */
export function noteTokens(bell: Bell): Bell {
  return {
    ...bell,
    ring(change) {
      const token = bell.ring(change);
      const noted = lastChange.getStore();
      if (noted) noted.token = token;
      return token;
    },
  };
}

/** Sends the consistency token of every write that changed something: who made the change sees it in its next read. */
export function sendConsistencyTokens(app: HubApp): void {
  // Not before the body is read, which happens outside the context that `run` makes.
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.method === 'GET' || request.method === 'HEAD') done();
    else lastChange.run({}, done);
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    const { token } = lastChange.getStore() ?? {};
    if (token !== undefined) reply.header('x-hub-bell', token);
    done(null, payload);
  });
}
