import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { hashToken } from '@birdhub/shared/secrets';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createTokenText } from '../auth/tokens.js';
import { testContract } from '../testing/gateway.js';
import { type GuardedHub, logout, openGuardedHub } from '../testing/guarded-hub.js';
import { startTestService, type TestService } from '../testing/http.js';

const responses = (type: string) =>
  `responses: { '200': { content: { ${type}: { schema: { type: string } } } } }`;
const operation = (id: string, type: string) =>
  `{ get: { operationId: ${id}, x-hub-service: query, security: [], ${responses(type)} } }`;
const contractText = `${testContract}
  /api/ui/live: ${operation('watchLive', 'multipart/x-mixed-replace')}
  /api/ui/events: ${operation('listen', 'text/event-stream')}
`;
const soon = { interval: 10 };

describe('a live picture', () => {
  let hub: GuardedHub;
  let camera: TestService;
  let url: string;
  const open = new Set<ServerResponse>();
  const clients: IncomingMessage[] = [];

  beforeAll(async () => {
    hub = await openGuardedHub();
    camera = await startTestService((_request, response) => {
      open.add(response);
      response.once('close', () => open.delete(response));
      response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace; boundary=x' }).write('picture');
    });
    url = (await hub.start({ services: { query: camera.url }, contractText, accessCheckMs: 20 })).url;
  });
  beforeEach(() => hub.set({ admin: 'adm1n', contributor: 'c0ntributor' }));
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await vi.waitFor(() => expect(open.size).toBe(0), soon);
  });
  afterAll(async () => {
    await hub.close();
    await camera.close();
  });

  async function watch(headers: Record<string, string>, path = '/api/ui/live') {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(url + path, { agent: false, headers }, resolve).on('error', reject);
    });
    clients.push(response);
    response.resume().on('error', () => undefined);
    return { hasEnded: () => response.complete };
  }

  /** Waits for some checks. */
  const checked = () => new Promise((resolve) => setTimeout(resolve, 200));

  async function createToken(): Promise<string> {
    const text = createTokenText();
    await hub.database.pool.query(
      `INSERT INTO access_token (name, token_hash, scopes) VALUES ('A', $1, '{read}')`,
      [Buffer.from(hashToken(text))],
    );
    return text;
  }

  test('opened with a session, ends after its logout, and the connection to the camera with it', async () => {
    const cookie = await hub.cookieOf('contributor');
    const [ofSession, ofOther] = [
      await watch({ cookie }),
      await watch({ cookie: await hub.cookieOf('admin') }),
    ];
    await checked();
    expect(ofSession.hasEnded()).toBe(false);
    await logout(url, { cookie });
    await vi.waitFor(() => expect(ofSession.hasEnded()).toBe(true), soon);
    await vi.waitFor(() => expect(open.size).toBe(1), soon);
    expect(ofOther.hasEnded()).toBe(false);
  });

  test('opened with a session, ends when it has been idle for too long, as watching is no use', async () => {
    const cookie = await hub.cookieOf('admin');
    const view = await watch({ cookie });
    await hub.database.pool.query(`UPDATE session SET used_at = now() - interval '29 minutes'`);
    await checked();
    expect(view.hasEnded()).toBe(false);
    await hub.database.pool.query(`UPDATE session SET used_at = used_at - interval '2 minutes'`);
    await vi.waitFor(() => expect(view.hasEnded()).toBe(true), soon);
  });

  test('opened with a token, ends when it is revoked', async () => {
    const view = await watch({ authorization: `Bearer ${await createToken()}` });
    await checked();
    expect(view.hasEnded()).toBe(false);
    await hub.database.pool.query('DELETE FROM access_token');
    await vi.waitFor(() => expect(view.hasEnded()).toBe(true), soon);
  });

  test('opened on a hub without passwords, ends when one is set', async () => {
    await hub.set({ admin: '', contributor: '' });
    const view = await watch({});
    await checked();
    expect(view.hasEnded()).toBe(false);
    await hub.set({ admin: 'adm1n', contributor: '' });
    await vi.waitFor(() => expect(view.hasEnded()).toBe(true), soon);
  });

  test('opened without a session, continues, as do events', async () => {
    const cookie = await hub.cookieOf('admin');
    const [view, events] = [await watch({}), await watch({ cookie }, '/api/ui/events')];
    await logout(url, { cookie });
    await hub.set({ admin: 'another', contributor: '' });
    await checked();
    expect([view.hasEnded(), events.hasEnded()]).toEqual([false, false]);
  });
});
