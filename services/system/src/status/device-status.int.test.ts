import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { reachDevice } from './device-status.js';

describe('reachDevice', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  async function serve(answer: RequestListener): Promise<string> {
    server = createServer(answer).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it.each([
    [200, true],
    [302, true],
    [401, true],
    [404, true],
    [500, false],
  ])('a device that answers %i, is reached: %j', async (status, expected) => {
    const host = await serve(
      (_request, response) => void response.writeHead(status, { location: '/' }).end(),
    );
    expect(await reachDevice(`http://${host}`)).toBe(expected);
  });

  it('user and password in the address, are sent along', async () => {
    let sent: string | undefined;
    const host = await serve((request, response) => {
      sent = request.headers.authorization;
      response.end();
    });
    expect(await reachDevice(`http://me:p%40ss@${host}/`)).toBe(true);
    expect(sent).toBe(`Basic ${Buffer.from('me:p@ss').toString('base64')}`);
  });

  it('a device that says nothing, is given up', async () => {
    const host = await serve(() => undefined);
    expect(await reachDevice(`http://${host}`)).toBe(false);
  });

  it.each(['http://127.0.0.1:1', 'http://', 'no address', 'http://me:100%@127.0.0.1:1'])(
    '%s, is not reached',
    async (address) => {
      expect(await reachDevice(address)).toBe(false);
    },
  );
});
