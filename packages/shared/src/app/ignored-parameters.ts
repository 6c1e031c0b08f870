import type { FastifyRequest } from 'fastify';
import type { HubApp } from './create-app.js';

const maxNames = 20;
const maxNameLength = 64;

interface OperationSchema {
  readonly response?: object;
  readonly querystring?: { readonly properties?: object };
}

/** The names of query parameters that an operation does not have, as the value of a header; undefined without any. */
function describeIgnored(request: FastifyRequest): string | undefined {
  const schema = request.routeOptions.schema as OperationSchema | undefined;
  // What a gateway forwards has none: the service that answers it names them.
  if (schema?.response === undefined) return undefined;
  const known = schema.querystring?.properties ?? {};
  const ignored = Object.keys(request.query as object).filter((name) => !Object.hasOwn(known, name));
  if (ignored.length === 0) return undefined;
  return ignored
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(name.slice(0, maxNameLength).toWellFormed()))
    .join(', ');
}

/** Names in `X-Hub-Ignored` the query parameters that an operation does not have, percent-encoded, at most 20. */
export function nameIgnoredParameters(app: HubApp): void {
  app.addHook('preValidation', (request, reply, done) => {
    // Most requests have no query at all.
    const ignored = request.url.includes('?') ? describeIgnored(request) : undefined;
    if (ignored !== undefined) reply.header('x-hub-ignored', ignored);
    done();
  });
}
