import { once } from 'node:events';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awaitResponse } from './await-response.js';
import { createOutgoingGuard, createServiceGuard, download } from './index.js';

const switching = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n';

/** What the server sends for each path. */
const replies: Record<string, (socket: Socket) => void> = {
  '/switch': (socket) => socket.write(switching),
  '/hints': (socket) =>
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n'),
  '/close': (socket) => socket.destroy(),
  '/reset': (socket) => socket.resetAndDestroy(),
  '/silent': () => undefined,
};

describe('the response to a request', () => {
  const sockets = new Set<Socket>();
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = createServer((socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      socket.once('data', (head) => replies[String(head).split(' ')[1] ?? '']?.(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  const request = (path: string, signal?: AbortSignal) =>
    awaitResponse(get(`${address}${path}`, { agent: false, signal }));

  it('of a server that switches to another protocol, is an error and the connection is closed', async () => {
    await expect(request('/switch')).rejects.toMatchObject({ code: 'UNEXPECTED_UPGRADE' });
    await expect.poll(() => sockets.size).toBe(0);
  });

  it('after an interim response, is the final one', async () => {
    expect((await request('/hints')).statusCode).toBe(204);
  });

  it.each(['/close', '/reset'])('of a server that closes the connection (%s), is an error', async (path) => {
    await expect(request(path)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('to a request aborted before it, is the error of the abort', async () => {
    const aborting = new AbortController();
    const response = request('/silent', aborting.signal);
    aborting.abort();
    await expect(response).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('to a request destroyed before it, is an error', async () => {
    const sent = get(`${address}/silent`, { agent: false });
    const response = awaitResponse(sent);
    sent.destroy();
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('of a download whose server switches to another protocol, is an error', async () => {
    const guard = createServiceGuard({ ownAddresses: [], guard: createOutgoingGuard('all') });
    const limits = { guard, maxBytes: 10, timeoutMs: 10_000, accept: '*/*' };
    await expect(download(new URL(`${address}/switch`), limits)).rejects.toMatchObject({
      name: 'DownloadError',
    });
  });
});
