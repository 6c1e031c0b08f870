import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../testing/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    services: {},
    mcpToken: 't0ken',
    assistantSettings: async () => ({ isEnabled: true, language: 'en', baseUrl: '' }),
  });
});
afterAll(() => gateway.close());

/** Sends a message with a `Host` header, which `fetch` would replace. */
async function send(host: string): Promise<{ status: number | undefined; text: string }> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const headers = {
    host,
    authorization: 'Bearer t0ken',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${gateway.url}/mcp`, { method: 'POST', headers }, async (response) => {
      const text = (await response.toArray()).join('');
      resolve({ status: response.statusCode, text });
    });
    sent.on('error', reject).end(body);
  });
}

describe('/mcp', () => {
  test('with an IPv6 address as its host, responds', async () => {
    expect((await send('[fe80::1]:8080')).status).toBe(200);
  });

  test('with a host that has a zone id, is 400 naming the header', async () => {
    const { status, text } = await send('[fe80::1%25eth0]:8080');
    expect([status, text]).toEqual([400, expect.stringContaining('host')]);
  });
});
