import type { HubApp } from '@birdhub/shared/app';
import type { ChangeNotifier } from '@birdhub/shared/db';
import type { FastifyRequest } from 'fastify';

/** A bell that knows what was rung last. */
export interface TrackedChangeNotifier extends ChangeNotifier {
  /** How often it was rung, and the token of the last time. */
  last(): { readonly count: number; readonly token: string };
}

/** The bell of a process, tracked for {@link sendConsistencyTokens}. */
export function trackChanges(notifier: ChangeNotifier): TrackedChangeNotifier {
  let count = 0;
  let token = '';
  return {
    ...notifier,
    notify(change) {
      count += 1;
      token = notifier.notify(change);
      return token;
    },
    last: () => ({ count, token }),
  };
}

/**
 * Sends a consistency token with the response of every write during which something changed: who made the change sees it
 * in the next read. The token covers what others changed meanwhile too, which costs a reader nothing.
 */
export function sendConsistencyTokens(app: HubApp, notifier: Pick<TrackedChangeNotifier, 'last'>): void {
  const countBefore = new WeakMap<FastifyRequest, number>();
  app.addHook('onRoute', (route) => {
    if (['GET', 'HEAD'].includes([route.method].flat()[0] ?? 'GET')) return;
    route.preHandler = (request, _reply, done) => {
      countBefore.set(request, notifier.last().count);
      done();
    };
    route.onSend = (request, reply, payload, done) => {
      const { count, token } = notifier.last();
      const before = countBefore.get(request);
      if (before !== undefined && count > before) reply.header('x-hub-consistency-token', token);
      done(null, payload);
    };
  });
}
