import { access, limits } from '@birdhub/shared/app';
import type { RouteOptions } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readContract } from './read-contract.js';
import { writeContract } from './write-contract.js';

const handler = () => undefined;
const route = (changes: Partial<RouteOptions> = {}, schema: object = {}): RouteOptions => ({
  method: 'GET',
  url: '/things',
  handler,
  ...changes,
  schema: { operationId: 'listThings', security: access.open, tags: ['status'], ...schema },
});
const write = (...routes: RouteOptions[]) => writeContract('1.2.3', [{ service: 'query', routes }]);
const Thing = Type.Object({ id: Type.Integer(), name: Type.String({ default: 'tit' }) }, { $id: 'Thing' });

describe('the contract', () => {
  test('written and read again, a route with parameter and roles, is the same operation', async () => {
    const text = await write(
      route(
        { method: 'PATCH', url: '/things/:id' },
        { security: access.contributor, operationId: 'patchThing' },
      ),
    );
    expect(readContract(text)).toEqual({
      version: '1.2.3',
      operations: [
        {
          operationId: 'patchThing',
          method: 'PATCH',
          path: '/things/{id}',
          pathPattern: '/things/:id',
          service: 'query',
          security: access.contributor,
          isWildcard: false,
          isEventStream: false,
          isFile: false,
        },
      ],
    });
  });

  test('written and read again, a wildcard route, has a pattern that ends in a star', async () => {
    const [operation] = readContract(await write(route({ url: '/data/recordings/*' }))).operations;
    expect(operation).toMatchObject({
      path: '/data/recordings/{path}',
      pathPattern: '/data/recordings/*',
      isWildcard: true,
    });
  });

  test('written and read again, a route of server-sent events, is long-lived', async () => {
    const answer = { description: 'Events', content: { 'text/event-stream': { schema: Type.String() } } };
    const text = await write(route({}, { response: { 200: answer } }));
    expect(readContract(text).operations[0]?.isEventStream).toBe(true);
  });

  test.each([
    [['image/jpeg', 'image/png'], true],
    [['image/jpeg', 'application/json'], undefined],
    [['application/pdf'], undefined],
  ])(
    'written and read again, a route that returns %j, is a picture only if all types are',
    async (types, isPicture) => {
      const content = Object.fromEntries(types.map((type) => [type, { schema: Type.String() }]));
      const text = await write(route({}, { response: { 200: { description: 'A thing', content } } }));
      expect(readContract(text).operations[0]?.isPicture).toBe(isPicture);
    },
  );

  test.each([
    ['video/mp4', true],
    ['text/csv', true],
    ['text/plain', false],
    ['application/problem+json', false],
    ['text/event-stream', false],
  ])('written and read again, a route that returns %s, has isFile %s', async (type, isFile) => {
    const answer = { description: 'It', content: { [type]: { schema: Type.String() } } };
    const text = await write(route({}, { response: { 200: answer } }));
    expect(readContract(text).operations[0]?.isFile).toBe(isFile);
  });

  test('written and read again, the rate limit of a route, is published and kept', async () => {
    const text = await write(route({ config: { limit: limits.dataset } }));
    expect(parse(text).paths['/things'].get['x-hub-limit']).toEqual({ max: 30, window_seconds: 60 });
    expect(readContract(text).operations[0]?.limit).toEqual({ max: 30, windowSeconds: 60 });
  });

  test('written from routes in another order, has the same bytes', async () => {
    const other = route({ url: '/other' }, { operationId: 'other', response: { 200: Thing } });
    expect(await write(other, route())).toBe(await write(route(), other));
  });

  test('written, a named schema of two routes, occurs once and is referenced', async () => {
    const { components, paths } = parse(
      await write(
        route({}, { response: { 200: Type.Array(Thing) } }),
        route({ url: '/things/:id' }, { operationId: 'getThing', response: { 200: Thing } }),
      ),
    );
    expect(Object.keys(components.schemas)).toEqual(['Error', 'Thing']);
    const schema = { type: 'array', items: { $ref: '#/components/schemas/Thing' } };
    expect(paths['/things'].get.responses['200']).toEqual({
      description: 'OK',
      content: { 'application/json': { schema } },
    });
  });

  test.each([
    ['GET', '/things', { security: access.open }, ['400', '401', '429', 'default']],
    ['GET', '/things/:id', { security: access.admin }, ['400', '401', '403', '404', '429', 'default']],
    ['POST', '/things', { body: Type.Object({}) }, ['400', '401', '403', '413', '415', '429', 'default']],
  ] as const)(
    'written, %s %s, references the named error responses of such an operation',
    async (method, url, schema, statuses) => {
      const { paths, components } = parse(await write(route({ method, url }, schema)));
      const [item = {}] =
        Object.values<Record<string, { responses: Record<string, { $ref: string }> }>>(paths);
      const { responses = {} } = item[method.toLowerCase()] ?? {};
      const named = Object.entries(responses).filter(([, response]) => '$ref' in response);
      expect(named.map(([status]) => status)).toEqual(statuses);
      for (const [, { $ref }] of named) {
        const { content } = components.responses[$ref.slice('#/components/responses/'.length)];
        expect(content['application/json'].schema).toEqual({ $ref: '#/components/schemas/Error' });
      }
    },
  );

  test('written, a parameter shared by two operations, occurs once and is referenced', async () => {
    const params = Type.Object({ id: Type.Integer({ description: 'The thing' }) });
    const { components, paths } = parse(
      await write(
        route({ url: '/things/:id' }, { params }),
        route({ url: '/things/:id/parts' }, { params, operationId: 'listParts' }),
      ),
    );
    expect(Object.keys(components.parameters)).toEqual(['ThingId']);
    expect(paths['/things/{id}/parts'].get.parameters).toEqual([{ $ref: '#/components/parameters/ThingId' }]);
  });

  test('written, two shared parameters of one name, are named after their tags', async () => {
    const querystring = (maximum: number) => Type.Object({ limit: Type.Integer({ maximum }) });
    const both = ['status', 'videos'].flatMap((tag, index) =>
      ['a', 'b'].map((name) =>
        route(
          { url: `/${tag}/${name}` },
          { operationId: tag + name, tags: [tag], querystring: querystring(index) },
        ),
      ),
    );
    const { components } = parse(await write(...both));
    expect(Object.keys(components.parameters)).toEqual(['StatusLimit', 'VideosLimit']);
  });

  test('written, a parameter with a default, is optional', async () => {
    const querystring = Type.Object({ limit: Type.Integer({ default: 5 }), day: Type.String() });
    const { paths } = parse(await write(route({}, { querystring })));
    const required = paths['/things'].get.parameters.map((parameter: { name: string; required: boolean }) => [
      parameter.name,
      parameter.required,
    ]);
    expect(required).toEqual([
      ['limit', false],
      ['day', true],
    ]);
  });

  test('written, hidden routes and HEAD, are left out', async () => {
    const { paths } = parse(
      await write(
        route({ method: ['GET', 'HEAD'] }),
        route({ url: '/internal' }, { hide: true, operationId: undefined }),
      ),
    );
    expect(Object.keys(paths)).toEqual(['/things']);
    expect(Object.keys(paths['/things'])).toEqual(['get']);
  });
});

describe('the contract, written from routes', () => {
  const refused: [string, RouteOptions[], string][] = [
    ['without operation id', [route({}, { operationId: undefined })], 'GET /things has no operationId'],
    ['without access rule', [route({}, { security: undefined })], 'GET /things declares no access rule'],
    ['with an id twice', [route(), route({ url: '/other' })], 'share the operationId listThings'],
    ['with a tag that nothing describes', [route({}, { tags: ['odd'] })], 'The tag odd has no description'],
    ['with a path twice', [route(), route({}, { operationId: 'other' })], 'share the path GET /things'],
    [
      'with two shapes of one name',
      [
        route({}, { response: { 200: Thing } }),
        route({ url: '/x' }, { operationId: 'x', response: { 200: Type.Object({}, { $id: 'Thing' }) } }),
      ],
      'Two schemas share the name Thing',
    ],
  ];
  test.each(refused)('%s, is refused', async (_, routes, message) => {
    await expect(write(...routes)).rejects.toThrow(message);
  });
});

describe('readContract', () => {
  test('with an operation without service, throws', () => {
    const text = 'info: { version: 1.0.0 }\npaths: { /x: { get: { operationId: x, security: [] } } }';
    expect(() => readContract(text)).toThrow('GET /x');
  });
});
