import { STATUS_CODES } from 'node:http';
import fastify, { type FastifyInstance, type FastifySchema, type HTTPMethods } from 'fastify';
import { stringify } from 'yaml';
import { ErrorBodySchema } from '../errors/index.js';
import { type ContractRoute, contractRoutes, type ServiceRoutes } from './contract-routes.js';
import { type Components, hoistSchemas, requireOnlyOfCaller } from './hoist-schemas.js';
import { toPathPattern } from './path-pattern.js';
import { securitySchemes } from './security-schemes.js';

const errorAnswer = {
  description: 'What went wrong, with a status of 400 or more',
  content: { 'application/json': { schema: ErrorBodySchema } },
};
/** What the generator writes for an answer without a description. */
const unnamed = 'Default Response';
const wildcardParameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };

function publishedSchema(route: ContractRoute, components: Components): FastifySchema {
  const { schema, service, isWildcard, limit } = route;
  const { response, params, querystring, headers, body, ...rest } = schema;
  const asked = Object.entries({ params, querystring, headers, body }).filter(
    ([, part]) => part !== undefined,
  );
  const answers = { ...(response as object), default: errorAnswer };
  return {
    ...rest,
    ...Object.fromEntries(
      asked.map(([name, part]) => [name, hoistSchemas(requireOnlyOfCaller(part), components)]),
    ),
    ...(isWildcard && { params: wildcardParameters, 'x-hub-wildcard': true }),
    'x-hub-service': service,
    ...(limit && { 'x-hub-limit': { max: limit.max, window_seconds: limit.windowSeconds } }),
    response: hoistSchemas(answers, components),
  } as FastifySchema;
}

interface Answers {
  readonly responses?: Record<string, { description?: string }>;
}

/** Gives answers that the routes do not describe the name of their status. */
function nameAnswers(paths: object): void {
  const operations = Object.values(paths).flatMap((item: object) => Object.values(item) as Answers[]);
  for (const { responses = {} } of operations) {
    for (const [status, answer] of Object.entries(responses)) {
      const name = STATUS_CODES[status];
      if (answer.description === unnamed && name) answer.description = name;
    }
  }
}

async function createDocumentApp(version: string): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = fastify({ exposeHeadRoutes: false });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Birdhub',
        version,
        description: 'The HTTP contract of the hub, made from its code.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      components: { securitySchemes },
    },
    refResolver: { buildLocalReference: (json) => String(json['$id']) },
  });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => '');
  return app;
}

/** The text of `openapi.yaml`; the same bytes for the same routes. */
export async function writeContract(version: string, services: readonly ServiceRoutes[]): Promise<string> {
  const app = await createDocumentApp(version);
  const components: Components = new Map();
  for (const route of contractRoutes(services)) {
    const { path, method } = route;
    const url = toPathPattern(path, false);
    const schema = publishedSchema(route, components);
    app.route({ method: method as HTTPMethods, url, schema, handler: () => undefined });
  }
  for (const name of [...components.keys()].sort()) app.addSchema({ $id: name, ...components.get(name) });
  await app.ready();
  const document = app.swagger();
  await app.close();
  nameAnswers(document.paths ?? {});
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}
