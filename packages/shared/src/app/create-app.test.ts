import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import { createApp, type HubApp } from './create-app.js';

let app: HubApp;
beforeAll(async () => {
  app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('test') });
  app.post('/plain', (request) => ({ body: request.body ?? null }));
  app.post('/shaped', { schema: { body: Type.Object({ name: Type.String() }) } }, () => ({}));
  await app.ready();
});
afterAll(() => app.close());

const json = 'application/json; charset=utf-8';

function post(url: string, body: string, type?: string) {
  return app.inject({ method: 'POST', url, payload: body, headers: type ? { 'content-type': type } : {} });
}

describe('a body', () => {
  test('of JSON, is parsed without keys that reach into prototypes', async () => {
    const response = await post('/plain', '{"a":1,"__proto__":{"b":2},"constructor":{"prototype":{}}}', json);
    expect(response.json()).toEqual({ body: { a: 1 } });
  });

  test('declared as JSON but empty, counts as no body', async () => {
    expect((await post('/plain', '', json)).json()).toEqual({ body: null });
    expect((await app.inject({ method: 'POST', url: '/plain' })).json()).toEqual({ body: null });
  });

  test('missing where one is required, returns 400', async () => {
    expect((await post('/shaped', '', json)).json()).toMatchObject({ code: 'invalid_request' });
    expect((await app.inject({ method: 'POST', url: '/shaped' })).statusCode).toBe(400);
  });

  test.each(['{', 'null}', '"', '{"a":}'])('of invalid JSON, %s, returns 400', async (body) => {
    const response = await post('/plain', body, json);
    expect([response.statusCode, response.json()]).toMatchObject([400, { code: 'invalid_request' }]);
  });

  test.each(['gzip', 'deflate, br'])('compressed as %s, returns 415 with the reason', async (encoding) => {
    const headers = { 'content-type': json, 'content-encoding': encoding };
    const response = await app.inject({
      method: 'POST',
      url: '/plain',
      payload: Buffer.from([31, 139]),
      headers,
    });
    const error = 'The body must not be compressed.';
    expect([response.statusCode, response.json()]).toMatchObject([
      415,
      { error, code: 'unsupported_media_type' },
    ]);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    undefined,
  ])('of type %s, returns 415', async (type) => {
    const response = await post('/plain', '{"a":1}', type);
    expect([response.statusCode, response.json()]).toMatchObject([415, { code: 'unsupported_media_type' }]);
  });
});

describe('an app with consistency tokens', () => {
  let app: HubApp;
  let count: number;
  const change = () => {
    count += 1;
  };
  const tokenOf = async (method: 'GET' | 'POST', url: string) => {
    const { headers } = await app.inject({ method, url });
    return headers['x-hub-consistency-token'];
  };

  beforeEach(() => {
    count = 3;
    app = createApp({
      log: pino({ level: 'silent' }),
      metrics: createMetrics('query'),
      consistencyTokens: { last: () => ({ count, token: `a:${count}` }) },
    });
  });
  afterEach(() => app.close());

  it('a write with changes, returns the token of the last change', async () => {
    app.post('/', async () => {
      change();
      change();
      return {};
    });
    expect(await tokenOf('POST', '/')).toBe('a:5');
  });

  it('a write that fails after a change, still returns the token', async () => {
    app.post('/', async () => {
      change();
      throw new Error('no');
    });
    expect(await tokenOf('POST', '/')).toBe('a:4');
  });

  it('a write without changes, returns no token', async () => {
    app.post('/', async () => ({}));
    expect(await tokenOf('POST', '/')).toBeUndefined();
  });

  it('a read, returns no token', async () => {
    app.get('/', async () => {
      change();
      return {};
    });
    expect(await tokenOf('GET', '/')).toBeUndefined();
  });

  it('a route with its own hooks, still runs them', async () => {
    const called: string[] = [];
    const preHandler = async () => void called.push('preHandler');
    const onSend = async (_: unknown, __: unknown, payload: unknown) => {
      called.push('onSend');
      return payload;
    };
    app.post('/', { preHandler, onSend }, async () => {
      change();
      return {};
    });
    expect([await tokenOf('POST', '/'), called]).toEqual(['a:4', ['preHandler', 'onSend']]);
  });
});
