import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HubError } from '../errors/index.js';
import { createMetrics } from '../metrics/index.js';
import { createApp, type HubApp } from './create-app.js';
import { toHubError } from './error-handler.js';

describe('toHubError', () => {
  it.each([
    [new HubError('conflict'), 'conflict', 409],
    [Object.assign(new Error('x'), { code: 'FST_ERR_CTP_BODY_TOO_LARGE' }), 'payload_too_large', 413],
    [
      Object.assign(new Error('x'), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' }),
      'unsupported_media_type',
      415,
    ],
    [Object.assign(new Error('x'), { code: 'ECONNREFUSED' }), 'database_unavailable', 503],
    [Object.assign(new Error('x'), { statusCode: 414 }), 'invalid_request', 400],
    [Object.assign(new Error('x'), { statusCode: 502 }), 'internal', 500],
    [new Error('x'), 'internal', 500],
    ['a text', 'internal', 500],
    [undefined, 'internal', 500],
    [null, 'internal', 500],
  ])('%s, becomes %s', (error, code, status) => {
    expect(toHubError(error)).toMatchObject({ code, status });
  });
});

describe('handleError', () => {
  let app: HubApp;
  const logged: { level: number; err?: { message: string } }[] = [];
  beforeAll(async () => {
    const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
    app = createApp({ log, metrics: createMetrics('test') });
    app.get('/secret', async (_request, reply) => {
      reply.header('etag', '"kept"').header('content-disposition', 'attachment');
      throw new Error('password is hunter2');
    });
    app.get('/busy', () => {
      throw new HubError('overloaded', { retryAfterSeconds: 3 });
    });
    app.get('/password', () => {
      throw new HubError('wrong_password');
    });
    app.get('/token', () => {
      throw new HubError('invalid_token');
    });
    app.get('/limit', { schema: { querystring: Type.Object({ limit: Type.Integer() }) } }, () => ({}));
    await app.ready();
  });
  afterAll(() => app.close());

  const get = (url: string) => app.inject({ url, headers: { 'x-request-id': 'e-1' } });

  it('a wrong password, adds ok: false to the error', async () => {
    const response = await get('/password');
    expect([response.statusCode, response.json()]).toEqual([
      401,
      { ok: false, error: 'Wrong password.', code: 'wrong_password', request_id: 'e-1' },
    ]);
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  it('an unexpected error, returns 500 without its message and is logged with its cause', async () => {
    const response = await get('/secret');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      error: 'Internal error.',
      code: 'internal',
      request_id: 'e-1',
    });
    expect(response.headers).toMatchObject({ 'cache-control': 'no-store', 'x-request-id': 'e-1' });
    expect(response.headers).not.toHaveProperty('etag');
    expect(response.headers).not.toHaveProperty('content-disposition');
    expect(logged.pop()).toMatchObject({ level: 50, err: { message: 'password is hunter2' } });
  });

  it('a temporary error, sets Retry-After and is logged as a warning', async () => {
    const response = await get('/busy');
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '3']);
    expect(logged.pop()).toMatchObject({ level: 40 });
  });

  it.each([
    ['/token', 401, 'invalid_token'],
    ['/limit?limit=x', 400, 'invalid_request'],
    ['/nothing', 404, 'route_not_found'],
    ['/%zz', 400, 'invalid_request'],
  ])('%s, returns %d %s and logs nothing', async (url, status, code) => {
    const before = logged.length;
    const response = await get(url);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, request_id: 'e-1' });
    expect(response.headers['x-request-id']).toBe('e-1');
    expect(response.headers['www-authenticate']).toBe(status === 401 ? 'Bearer' : undefined);
    expect(logged).toHaveLength(before);
  });

  it('an invalid parameter, is named as in the URL', async () => {
    expect((await get('/limit')).json().details).toEqual([
      { path: 'limit', code: 'required', message: 'is required' },
    ]);
  });
});
