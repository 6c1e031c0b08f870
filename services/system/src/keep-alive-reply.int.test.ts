import { setTimeout as pause } from 'node:timers/promises';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replyWithKeepAlive } from './keep-alive-reply.js';

describe('replyWithKeepAlive', () => {
  let app: HubApp;
  let fail: (error: Error) => void;
  const slowWork = new Promise<never>((_, reject) => {
    fail = reject;
  });

  beforeAll(() => {
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    const answerIn = (ms: number) => pause(ms, { count: 3 });
    app.get('/quick', (_, reply) => replyWithKeepAlive(reply, answerIn(1), 50));
    app.get('/slow', (_, reply) => replyWithKeepAlive(reply, answerIn(120), 50));
    app.get('/quick-failure', (_, reply) => replyWithKeepAlive(reply, Promise.reject(new Error('no')), 50));
    app.get('/slow-failure', (_, reply) => replyWithKeepAlive(reply, slowWork, 50));
  });
  afterAll(() => app.close());

  it('quick work, gets a normal response', async () => {
    expect((await app.inject('/quick')).body).toBe('{"count":3}');
  });

  it('slow work, starts with spaces and is the same JSON', async () => {
    const { body, statusCode, headers } = await app.inject('/slow');
    expect([body, statusCode]).toEqual([' {"count":3}', 200]);
    expect(headers['content-type']).toMatch('application/json');
  });

  it('work that fails soon, gets an error response', async () => {
    expect((await app.inject('/quick-failure')).statusCode).toBe(500);
  });

  it('work that fails late, cuts the response off', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    // Resolves at the first space.
    const answer = await fetch(`${address}/slow-failure`);
    fail(new Error('no'));
    await expect(answer.text()).rejects.toThrow();
  });
});
