import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyWithKeepAlive } from './keep-alive-reply.js';

describe('replyWithKeepAlive', () => {
  let app: HubApp;
  let address: string;
  let finish: (result: object) => void;
  const slowWork = new Promise<object>((resolve) => {
    finish = resolve;
  });
  let fail: (error: Error) => void;
  const slowFailure = new Promise<never>((_, reject) => {
    fail = reject;
  });

  beforeAll(async () => {
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    app.get('/quick', (_, reply) => replyWithKeepAlive(reply, Promise.resolve({ count: 3 }), 50));
    app.get('/slow', (_, reply) => replyWithKeepAlive(reply, slowWork, 50));
    app.get('/quick-failure', (_, reply) => replyWithKeepAlive(reply, Promise.reject(new Error('no')), 50));
    app.get('/slow-failure', (_, reply) => replyWithKeepAlive(reply, slowFailure, 50));
    address = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  it('with quick work, sends a normal response', async () => {
    expect((await app.inject('/quick')).body).toBe('{"count":3}');
  });

  it('with slow work, starts with spaces and sends the same JSON', async () => {
    // Resolves at the first space.
    const response = await fetch(`${address}/slow`);
    finish({ count: 3 });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch('application/json');
    expect(await response.text()).toMatch(/^ +\{"count":3\}$/);
  });

  it('with work that fails soon, sends an error response', async () => {
    expect((await app.inject('/quick-failure')).statusCode).toBe(500);
  });

  it('with work that fails late, aborts the response', async () => {
    // Resolves at the first space.
    const response = await fetch(`${address}/slow-failure`);
    fail(new Error('no'));
    await expect(response.text()).rejects.toThrow();
  });
});
