import { access, authorOf, type HubApp, limits, whileAwaited } from '@birdhub/shared/app';
import type { Sources } from './sources.js';
import {
  SourceBodySchema,
  SourceChangeSchema,
  SourceCreatedSchema,
  SourceDetailSchema,
  SourceDoneSchema,
  SourceImportSchema,
  SourceImportStartedSchema,
  SourceParamsSchema,
  SourceRemovalQuerySchema,
  SourceSchema,
  SourceTestResultSchema,
  SourceTestSchema,
} from './sources.schema.js';

const shared = { tags: ['sources'], security: access.admin };

const listSchema = {
  operationId: 'listSources',
  summary: 'List sources',
  description: 'The programs from which the hub reads birds, sorted by name.',
  ...shared,
  response: { 200: { type: 'array', items: SourceSchema } as const },
};

const getSchema = {
  operationId: 'getSource',
  summary: 'Get a source',
  ...shared,
  params: SourceParamsSchema,
  response: { 200: SourceDetailSchema },
};

const createSchema = {
  operationId: 'createSource',
  summary: 'Add a source',
  description: 'The hub immediately starts to read new birds. Use `importSource` to read earlier ones.',
  ...shared,
  body: SourceBodySchema,
  response: { 201: SourceCreatedSchema },
};

const changeSchema = {
  operationId: 'updateSource',
  summary: 'Change a source',
  description: 'Omitted fields stay unchanged.',
  ...shared,
  params: SourceParamsSchema,
  body: SourceChangeSchema,
  response: { 200: SourceDetailSchema },
};

const removeSchema = {
  operationId: 'deleteSource',
  summary: 'Delete a source',
  description: 'Cancels a running import of the source. Its recordings are kept unless `data` is `remove`.',
  ...shared,
  params: SourceParamsSchema,
  querystring: SourceRemovalQuerySchema,
  response: { 200: SourceDoneSchema },
};

const testSchema = {
  operationId: 'testSource',
  summary: 'Test the connection to a source',
  description: 'Tests the connection described by the body. Nothing is stored.',
  ...shared,
  body: SourceTestSchema,
  response: { 200: SourceTestResultSchema },
};

const importSchema = {
  operationId: 'importSource',
  summary: 'Import the history of a source',
  description:
    'Runs in the background as a job of kind `import`, which can be paused. Returns 409 `job_running` ' +
    'while another import runs. Recordings that are already stored stay unchanged. Imported birds trigger ' +
    'no notifications.',
  ...shared,
  params: SourceParamsSchema,
  body: SourceImportSchema,
  response: { 202: SourceImportStartedSchema },
};

/** Dependencies of these routes. */
export interface SourceRoutesDeps {
  readonly sources: Sources;
}

/**
 * `GET, POST /api/ui/sources`, `GET, PATCH, DELETE /api/ui/sources/:id`, `POST /api/ui/sources/test`,
 * `POST /api/ui/sources/:id/import`
 */
export function sourceRoutes(app: HubApp, { sources }: SourceRoutesDeps): void {
  app.get('/api/ui/sources', { schema: listSchema }, async (_request, reply) => {
    reply.header('cache-control', 'no-store');
    return sources.list();
  });
  app.get('/api/ui/sources/:id', { schema: getSchema }, async ({ params }, reply) => {
    reply.header('cache-control', 'no-store');
    return sources.get(params.id);
  });
  app.post('/api/ui/sources', { schema: createSchema }, async (request, reply) => {
    const id = await sources.create(request.body, authorOf(request));
    return reply.code(201).send({ id });
  });
  app.patch('/api/ui/sources/:id', { schema: changeSchema }, async (request) => {
    await sources.update(request.params.id, request.body, authorOf(request));
    return sources.get(request.params.id);
  });
  app.delete('/api/ui/sources/:id', { schema: removeSchema }, async (request) => {
    const { params, query } = request;
    await sources.delete(params.id, query.data === 'remove', authorOf(request));
    return {
      message:
        query.data === 'remove'
          ? 'The source is deleted; its recordings are being deleted.'
          : 'The source is deleted; its recordings are kept.',
    };
  });
  app.post(
    '/api/ui/sources/test',
    { schema: testSchema, config: { limit: limits.render } },
    async ({ body }, reply) => sources.test(body, whileAwaited(reply)),
  );
  app.post('/api/ui/sources/:id/import', { schema: importSchema }, async (request, reply) => {
    const jobId = await sources.startImport(request.params.id, request.body, authorOf(request));
    return reply.code(202).send({ job_id: jobId });
  });
}
