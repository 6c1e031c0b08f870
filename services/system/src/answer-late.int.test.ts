import { setTimeout as pause } from 'node:timers/promises';
import { createApp, type HubApp } from '@birdhub/shared/app';
import { createMetrics } from '@birdhub/shared/metrics';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerLate } from './answer-late.js';

describe('answerLate', () => {
  let app: HubApp;

  beforeAll(() => {
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('system') });
    const answerIn = (ms: number) => pause(ms, { count: 3, bell: 'a:1' });
    app.get('/quick', (_, reply) => answerLate(reply, answerIn(1), 50));
    app.get('/slow', (_, reply) => answerLate(reply, answerIn(120), 50));
    const fail = async (ms: number) => {
      await pause(ms);
      throw new Error('no');
    };
    app.get('/quick-failure', (_, reply) => answerLate(reply, fail(1), 50));
    app.get('/slow-failure', (_, reply) => answerLate(reply, fail(120), 50));
  });
  afterAll(() => app.close());

  it('quick work, is answered as ever', async () => {
    const { body, headers } = await app.inject('/quick');
    expect([body, headers['x-hub-bell']]).toEqual(['{"count":3}', 'a:1']);
  });

  it('slow work, begins with spaces and is the same JSON', async () => {
    const { body, statusCode, headers } = await app.inject('/slow');
    expect([body, statusCode]).toEqual([' {"count":3}', 200]);
    expect(headers['content-type']).toMatch('application/json');
  });

  it('work that fails soon, is answered so', async () => {
    expect((await app.inject('/quick-failure')).statusCode).toBe(500);
  });

  it('work that fails late, breaks the answer off', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    const answer = await fetch(`${address}/slow-failure`);
    await expect(answer.text()).rejects.toThrow();
  });
});
