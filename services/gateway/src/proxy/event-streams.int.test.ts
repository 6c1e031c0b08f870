import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway, testContract } from '../testing/gateway.js';
import { startTestService, type TestService } from '../testing/service.js';

const responses = `responses: { '200': { content: { text/event-stream: { schema: { type: string } } } } }`;
const contractText = `${testContract}
  /api/ui/events: { get: { operationId: listen, x-hub-service: query, security: [], ${responses} } }
`;

/** More than a service has connections for its other answers. */
const many = 300;

describe('event streams', () => {
  let service: TestService;
  let gateway: TestGateway;
  let open: Set<ServerResponse>;

  beforeEach(async () => {
    open = new Set();
    service = await startTestService((request, response) => {
      if (request.url !== '/api/ui/events') return response.end('{}');
      open.add(response);
      response.once('close', () => open.delete(response));
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n');
    });
    gateway = await startTestGateway({ services: { query: service.url }, contractText });
  });
  afterEach(async () => {
    await gateway.close();
    await service.close();
  });

  async function listen() {
    const request = get(`${gateway.url}/api/ui/events`, { agent: false });
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    });
    let text = '';
    let hasEnded = false;
    response.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => {
      hasEnded = true;
    });
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    return { text: () => text, hasEnded: () => hasEnded, leave: () => request.destroy() };
  }

  test('an event, written by the service, is at the client at once and alone', async () => {
    const client = await listen();
    await vi.waitUntil(() => client.text() === 'retry: 1\n\n');
    for (const response of open) response.write('id: 1\ndata: {}\n\n');
    await vi.waitUntil(() => client.text().endsWith('id: 1\ndata: {}\n\n'));
    client.leave();
    await vi.waitUntil(() => open.size === 0);
  });

  test('hundreds of them, open, leave the other routes their connections', async () => {
    const clients = await Promise.all(Array.from({ length: many }, listen));
    await vi.waitUntil(() => open.size === many);
    const answer = await fetch(`${gateway.url}/api/ui/things`);
    expect(answer.status).toBe(200);
    for (const client of clients) client.leave();
  });

  test('the gateway stops, its clients are let go cleanly and the service hears of it', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, listen));
    await gateway.stop();
    await vi.waitUntil(() => clients.every((client) => client.hasEnded()));
    await vi.waitUntil(() => open.size === 0);
  });
});
