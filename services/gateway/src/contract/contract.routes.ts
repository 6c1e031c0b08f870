import { createHash } from 'node:crypto';
import { access, type HubApp, isUnmodified } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { withBase } from '../web/web.routes.js';

/** The contract and the address of the hub. */
export interface ContractOptions {
  readonly basePath: string;
  readonly prefixOf: (request: FastifyRequest) => string;
  /** The published document. */
  readonly text: string;
  /** The page that shows the document; undefined when the UI is not built. */
  readonly page: string | undefined;
}

const common = { tags: ['contract'], security: access.open };

const documentSchema = {
  ...common,
  summary: 'Get this document',
  description: 'Returns the document with the URL of the hub in `servers`, including the base path.',
  produces: ['text/yaml'],
  response: { 200: Type.String(), 304: Type.Null() },
};

const pageSchema = {
  ...common,
  operationId: 'getContractPage',
  summary: 'Get this document as a page',
  description: 'The page loads nothing from other sites. Returns 404 when the web UI is not built.',
  produces: ['text/html'],
  response: { 200: Type.String(), 304: Type.Null() },
};

/** Inserts the base path of the hub, as seen by the browser, into the document. */
function placeDocument(text: string, prefix: string): string {
  return prefix === '' ? text : text.replace(/^ {2}- url: \/$/m, `  - url: ${prefix}`);
}

function send(request: FastifyRequest, reply: FastifyReply, type: string, body: string): void {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  reply.header('etag', etag).header('cache-control', 'no-cache');
  if (isUnmodified(request, reply)) reply.code(304).send(null);
  else reply.type(`${type}; charset=utf-8`).send(body);
}

/** `GET /openapi.yaml`, `GET /api/ui/openapi.yaml`, `GET /docs` */
export function contractRoutes(app: HubApp, { basePath, prefixOf, text, page }: ContractOptions): void {
  const paths = { getContract: '/openapi.yaml', getUiContract: '/api/ui/openapi.yaml' };
  for (const [operationId, path] of Object.entries(paths)) {
    app.get(basePath + path, { schema: { ...documentSchema, operationId } }, (request, reply) =>
      send(request, reply, 'text/yaml', placeDocument(text, prefixOf(request))),
    );
  }
  app.get(`${basePath}/docs`, { schema: pageSchema }, (request, reply) => {
    if (page === undefined) throw new HubError('route_not_found');
    send(request, reply, 'text/html', withBase(page, prefixOf(request)));
  });
}
