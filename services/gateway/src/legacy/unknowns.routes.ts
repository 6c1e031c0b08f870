import { access, type HubApp } from '@birdhub/shared/app';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { reviewTarget } from './review-target.js';

const schema = {
  operationId: 'redirectUnknowns',
  summary: 'Redirect to the review page',
  tags: ['pages'],
  security: access.open,
  response: { 302: Type.Null({ description: 'To /timeline?review=1 with all other parameters kept' }) },
};

/** `GET /unknowns` of the browser. */
export function unknownsRoutes(
  app: HubApp,
  { basePath, prefixOf }: { basePath: string; prefixOf: (request: FastifyRequest) => string },
): void {
  app.get(`${basePath}/unknowns`, { schema }, (request, reply) => {
    reply.redirect(reviewTarget(request.url, prefixOf(request)), 302);
  });
}
