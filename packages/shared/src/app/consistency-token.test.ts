import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics } from '../metrics/index.js';
import { sendConsistencyTokens } from './consistency-token.js';
import { createApp, type HubApp } from './create-app.js';

describe('sendConsistencyTokens', () => {
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
    app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('query') });
    sendConsistencyTokens(app, { last: () => ({ count, token: `a:${count}` }) });
  });
  afterEach(() => app.close());

  it('a write that changes something, gets the token of the last change', async () => {
    app.post('/', async () => {
      change();
      change();
      return {};
    });
    expect(await tokenOf('POST', '/')).toBe('a:5');
  });

  it('a write that fails after a change, gets the token too', async () => {
    app.post('/', async () => {
      change();
      throw new Error('no');
    });
    expect(await tokenOf('POST', '/')).toBe('a:4');
  });

  it('a write that changes nothing, gets no token', async () => {
    app.post('/', async () => ({}));
    expect(await tokenOf('POST', '/')).toBeUndefined();
  });

  it('a read, gets no token', async () => {
    app.get('/', async () => {
      change();
      return {};
    });
    expect(await tokenOf('GET', '/')).toBeUndefined();
  });

  it('a route with hooks of its own, keeps them', async () => {
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
