import { STATUS_CODES } from 'node:http';
import { ErrorBodySchema } from '@birdhub/shared/errors';
import fastify, { type FastifyInstance, type FastifySchema, type HTTPMethods } from 'fastify';
import { stringify } from 'yaml';
import { addExamples, type ContractExamples } from './add-examples.js';
import { type ContractRoute, contractRoutes, type ServiceRoutes } from './contract-routes.js';
import { documentInfo, documentServers, documentTags } from './document-head.js';
import { errorReferences, errorResponses } from './error-responses.js';
import { type Components, hoistSchemas, requireOnlyOfCaller } from './hoist-schemas.js';
import { toPathPattern } from './path-pattern.js';
import { securitySchemes } from './security-schemes.js';
import { shareParameters } from './share-parameters.js';

/** What the generator writes for an answer without a description. */
const unnamed = 'Default Response';
const wildcardParameters = {
  type: 'object',
  properties: {
    path: {
      type: 'string',
      description: 'Path of the file inside the recordings folder, such as 2026/05/01/080000/video.mp4',
    },
  },
  required: ['path'],
};

function publishedSchema(route: ContractRoute, components: Components): FastifySchema {
  const { schema, service, isWildcard, limit } = route;
  const { response, params, querystring, headers, body, ...rest } = schema;
  const asked = Object.entries({ params, querystring, headers, body }).filter(
    ([, part]) => part !== undefined,
  );
  return {
    ...rest,
    ...Object.fromEntries(
      asked.map(([name, part]) => [name, hoistSchemas(requireOnlyOfCaller(part), components)]),
    ),
    ...(isWildcard && { params: wildcardParameters, 'x-hub-wildcard': true }),
    'x-hub-service': service,
    ...(limit && { 'x-hub-limit': { max: limit.max, window_seconds: limit.windowSeconds } }),
    response: hoistSchemas(response ?? {}, components),
  } as FastifySchema;
}

interface OperationObject {
  readonly tags?: readonly string[];
  responses: Record<string, { description?: string; $ref?: string }>;
}

type Paths = Record<string, Record<string, OperationObject>>;

/** What is taken from what the generator makes. */
interface GeneratedDocument {
  readonly paths: Paths;
  readonly components: { readonly schemas: object };
}

/** Gives responses that the routes do not describe the name of their status, and adds those of errors. */
function completeResponses(paths: Paths, routes: readonly ContractRoute[]): void {
  for (const route of routes) {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${route.method} ${route.path} is not in the document`);
    const declared = Object.entries(operation.responses).filter(([, { description }]) => description);
    for (const [status, answer] of declared) {
      const name = STATUS_CODES[status];
      if (answer.description === unnamed && name) answer.description = name;
    }
    operation.responses = { ...operation.responses, ...errorReferences(route) };
  }
}

async function createDocumentApp(): Promise<FastifyInstance> {
  const { default: swagger } = await import('@fastify/swagger');
  const app = fastify({ exposeHeadRoutes: false });
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', components: { securitySchemes } },
    refResolver: { buildLocalReference: (json) => String(json['$id']) },
  });
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => () => '');
  return app;
}

/** The text of `openapi.yaml`; the same bytes for the same routes. */
export async function writeContract(
  version: string,
  services: readonly ServiceRoutes[],
  examples: ContractExamples = { parameters: {}, operations: {} },
): Promise<string> {
  const app = await createDocumentApp();
  const components: Components = new Map();
  hoistSchemas(ErrorBodySchema, components);
  const routes = contractRoutes(services);
  for (const route of routes) {
    const { path, method } = route;
    const url = toPathPattern(path, false);
    const schema = publishedSchema(route, components);
    app.route({ method: method as HTTPMethods, url, schema, handler: () => undefined });
  }
  for (const name of [...components.keys()].sort()) app.addSchema({ $id: name, ...components.get(name) });
  await app.ready();
  const document = app.swagger() as unknown as GeneratedDocument;
  await app.close();
  const { paths, components: generated } = document;
  addExamples(paths, examples);
  completeResponses(paths, routes);
  const tags = new Set(routes.flatMap(({ schema }) => schema.tags ?? []));
  const published = {
    openapi: '3.1.0',
    info: { ...documentInfo, version },
    servers: documentServers,
    tags: documentTags(tags),
    paths,
    components: {
      securitySchemes,
      parameters: shareParameters(paths),
      responses: errorResponses(),
      schemas: generated.schemas,
    },
  };
  return stringify(published, { lineWidth: 0, aliasDuplicateObjects: false });
}
