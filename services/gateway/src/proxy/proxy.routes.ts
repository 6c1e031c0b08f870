import type { HubApp } from '@birdhub/shared/app';
import type { Operation } from '@birdhub/shared/contract';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { openCaller } from '../access/caller.js';
import { type BellMemory, createBellMemory } from './bell-memory.js';
import { Exchange } from './exchange.js';
import { type PrefixOptions, prefixOf } from './prefix-of.js';
import { forwardedHeaders } from './request-headers.js';
import { serviceNames, type Upstreams } from './upstreams.js';

/** What forwarding needs to know. */
export interface ProxyOptions extends PrefixOptions {
  readonly operations: readonly Operation[];
  readonly upstreams: Upstreams;
  readonly internalSecret: string | undefined;
  readonly timeoutMs: number;
}

function upstreamOf({ service, operationId }: Operation, upstreams: Upstreams): Dispatcher {
  const name = serviceNames.find((known) => known === service);
  if (!name) throw new Error(`The contract sends ${operationId} to ${service}, which is no service`);
  return upstreams[name];
}

function hasBody({ headers, method }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function registerOperation(
  app: HubApp,
  operation: Operation,
  bells: BellMemory,
  options: ProxyOptions,
): void {
  const { basePath, internalSecret, timeoutMs } = options;
  const { operationId, method, pathPattern } = operation;
  const upstream = upstreamOf(operation, options.upstreams);
  const caller = openCaller(operation);
  const isRead = method === 'GET';
  const url = basePath + pathPattern;
  const schema = { operationId, hide: true };
  app.route({
    method: isRead ? ['GET', 'HEAD'] : [method],
    url,
    schema,
    handler(request, reply) {
      const { id, headers, protocol, host } = request;
      const target = request.raw.url ?? '';
      // The router reads escapes, so another spelling of the base path gets here.
      if (!target.startsWith(basePath)) throw new HubError('route_not_found');
      const withBody = hasBody(request);
      new Exchange({
        request,
        reply,
        upstream,
        path: target.slice(basePath.length),
        headers: forwardedHeaders(headers, withBody, {
          requestId: id,
          caller,
          internalSecret,
          clientAddress: request.ip,
          protocol,
          host,
          prefix: prefixOf(request, options),
          bells: isRead ? bells.tokens() : '',
        }),
        hasBody: withBody,
        timeoutMs,
        onBell: bells.remember,
      }).start();
    },
  });
}

/** Forwards every operation that is not the gateway's own. */
export function proxyRoutes(app: HubApp, options: ProxyOptions): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  const bells = createBellMemory();
  for (const operation of options.operations) {
    if (operation.service !== 'gateway') registerOperation(app, operation, bells, options);
  }
}
