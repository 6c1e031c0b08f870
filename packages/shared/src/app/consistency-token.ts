import type { FastifyRequest } from 'fastify';
import type { ChangeNotifier } from '../db/index.js';
import type { HubApp } from './create-app.js';

/**
 * Sends `x-hub-consistency-token` with the response of every write during which this process announced a change, so
 * that the caller sees the change in its next read. The token covers changes of concurrent requests too. To be called
 * before routes are added.
 */
export function sendConsistencyTokens(app: HubApp, notifier: Pick<ChangeNotifier, 'last'>): void {
  const countBefore = new WeakMap<FastifyRequest, number>();
  app.addHook('onRoute', (route) => {
    if (['GET', 'HEAD'].includes([route.method].flat()[0] ?? 'GET')) return;
    route.preHandler = [
      (request, _reply, done) => {
        countBefore.set(request, notifier.last().count);
        done();
      },
      ...[route.preHandler ?? []].flat(),
    ];
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        const { count, token } = notifier.last();
        const before = countBefore.get(request);
        if (before !== undefined && count > before) reply.header('x-hub-consistency-token', token);
        done(null, payload);
      },
    ];
  });
}
