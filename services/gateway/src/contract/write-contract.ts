import { STATUS_CODES } from 'node:http';
import { ErrorBodySchema } from '@birdhub/shared/errors';
import { sessionCookie } from '@birdhub/shared/sessions';
import fastify, { type FastifyInstance, type FastifySchema, type HTTPMethods } from 'fastify';
import { stringify } from 'yaml';
import { addExamples, type ContractExamples } from './add-examples.js';
import {
  errorReferences,
  errorResponses,
  hoistSchemas,
  makeDefaultedOptional,
  type SchemaComponents,
  shareParameters,
} from './components.js';
import { listPublishedRoutes, type PublishedRoute, type ServiceRoutes } from './published-routes.js';
import { toPathPattern } from './read-contract.js';

interface OperationObject {
  readonly tags?: readonly string[];
  responses: Record<string, { description?: string; $ref?: string }>;
}

type Paths = Record<string, Record<string, OperationObject>>;

/** The used parts of the generated document. */
interface GeneratedDocument {
  readonly paths: Paths;
  readonly components: { readonly schemas: object };
}

/** Returns the text of `openapi.yaml`, which is deterministic. */
export async function writeContract(
  version: string,
  services: readonly ServiceRoutes[],
  examples: ContractExamples = { parameters: {}, operations: {} },
): Promise<string> {
  const app = await createDocumentApp();
  const components: SchemaComponents = new Map();
  hoistSchemas(ErrorBodySchema, components);
  const routes = listPublishedRoutes(services);
  for (const route of routes) {
    const { path, method } = route;
    const url = toPathPattern(path, false);
    const schema = publishedSchema(route, components);
    // An array, as the generator skips the method HEAD on its own.
    app.route({ method: [method as HTTPMethods], url, schema, handler: () => undefined });
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

function publishedSchema(route: PublishedRoute, components: SchemaComponents): FastifySchema {
  const { schema, service, isWildcard, limit } = route;
  const { response, params, querystring, headers, body, ...rest } = schema;
  const declared = Object.entries({ params, querystring, headers, body }).filter(
    ([, part]) => part !== undefined,
  );
  return {
    ...rest,
    ...Object.fromEntries(
      declared.map(([name, part]) => [name, hoistSchemas(makeDefaultedOptional(part), components)]),
    ),
    ...(isWildcard && { params: wildcardParameters, 'x-hub-wildcard': true }),
    'x-hub-service': service,
    ...(limit && { 'x-hub-limit': { max: limit.max, window_seconds: limit.windowSeconds } }),
    response: hoistSchemas(response ?? {}, components),
  } as FastifySchema;
}

/** The generator's description of responses without one. */
const defaultDescription = 'Default Response';

/** Describes responses without a description by their status, and adds the error responses. */
function completeResponses(paths: Paths, routes: readonly PublishedRoute[]): void {
  for (const route of routes) {
    const operation = paths[route.path]?.[route.method.toLowerCase()];
    if (operation === undefined) throw new Error(`${route.method} ${route.path} is not in the document`);
    const declared = Object.entries(operation.responses).filter(([, { description }]) => description);
    for (const [status, response] of declared) {
      const name = STATUS_CODES[status];
      if (response.description === defaultDescription && name) response.description = name;
    }
    operation.responses = { ...operation.responses, ...errorReferences(route) };
  }
}

/** Returns the tags in use with their descriptions. @throws when one has none */
function documentTags(used: ReadonlySet<string>): { name: string; description: string }[] {
  const unknown = [...used].find((name) => !Object.hasOwn(tagDescriptions, name));
  if (unknown !== undefined) throw new Error(`The tag ${unknown} has no description`);
  const known = Object.entries(tagDescriptions).filter(([name]) => used.has(name));
  return known.map(([name, description]) => ({ name, description }));
}

/** The info object of the document. */
const documentInfo = {
  title: 'Birdhub',
  summary: 'The HTTP API of a hub that stores and serves recordings and detections from bird feeders.',
  description:
    'This document is generated from the code of the services. `docs/api-guide.md` shows typical calls in ' +
    'order.\n\n' +
    '- Times in requests are Unix seconds or RFC 3339; times in responses are RFC 3339. A date is a ' +
    'calendar day in the time zone of the hub (`general.timezone`). Offsets within a recording are seconds ' +
    'from its start.\n' +
    '- Errors have a status of 400 or higher and the body `Error`; the `code` is stable.\n' +
    '- Lists have an `ETag`. A request with `If-None-Match` returns 304 without a body when the list is ' +
    'unchanged.\n' +
    '- A write returns after the change is stored. Subsequent reads return the changed data.',
  license: { name: 'MIT', identifier: 'MIT' },
} as const;

/** The gateway replaces the URL by its base path when it serves the document. */
const documentServers = [{ url: '/', description: 'This hub' }] as const;

/** The tags in display order. */
const tagDescriptions: Readonly<Record<string, string>> = {
  processor: 'For detection processors: recordings, notices, heartbeats and active species',
  timeline: 'Visits in a time window',
  overview: 'Statistics of a day or another time window',
  videos: 'Recordings: their detections, media files and favourites',
  detections: 'Pictures of individual detections',
  review: 'Corrections and confirmations of detections',
  species: 'Species, their statistics, sounds and calendar, and changes of species',
  cameras: 'Cameras in the settings and in recordings',
  food: 'Foods on offer, and the state of the feeder',
  feeder: 'Control of the feeder',
  sources: 'Programs from which the hub reads birds',
  demo: 'Demo birds that show the features of the hub',
  weather: 'Weather and sun at the hub',
  live: 'Live events',
  reports: 'Printable reports',
  dataset: 'Pictures of detections for training models',
  access: 'Passwords, sessions and access tokens',
  sharing: 'Links to share a recording or a day',
  displays: 'Read-only routes compatible with BirdNET-Go, for wall displays made for it',
  settings: 'The settings of the hub',
  notifications:
    'Notification channels and Web Push subscriptions, alert rules with their log, deliveries, the digest',
  storage: 'Disk usage of recordings, retention, and the scan of the recordings folder',
  system: 'The host, background jobs, the processor and its log',
  status: 'Status of the hub and its components',
  metrics: 'Metrics for Prometheus',
  contract: 'This document',
  pages: 'URLs of pages that clients of the BirdLense family use',
};

/** The security schemes that operations refer to. */
const securitySchemes = {
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: sessionCookie,
    description:
      'Cookie of an unlocked session. The scopes are the roles with access, one of which is sufficient.',
  },
  mcp: { type: 'http', scheme: 'bearer', description: 'The token set in `MCP_TOKEN`' },
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An access token, created with `POST /api/ui/tokens`. It can also be sent in `X-Processor-Token`. ' +
      'One of the listed scopes is sufficient; `admin` is sufficient everywhere.',
  },
  processor: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Processor-Token',
    description: 'The secret set in `PROCESSOR_SECRET`; required when it is set',
  },
} as const;
