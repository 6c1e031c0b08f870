import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createOutgoingGuard } from '@birdhub/shared/outgoing';
import { type StubServer, startStubServer } from '@birdhub/testing/stub-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NoResponseError, sendRequest } from './outgoing-requests.js';

describe('sendRequest', () => {
  let stub: StubServer;
  beforeAll(async () => {
    stub = await startStubServer(() => ({ status: 201 }));
  });
  beforeEach(() => stub.respond(() => ({ status: 201 })));
  afterAll(() => stub.stop());

  const send = (url = `${stub.url}/secret-path`, timeoutMs = 2_000, given = {}) =>
    sendRequest({
      url: new URL(url),
      headers: { 'x-a': 'b' },
      body: Buffer.from('hello'),
      timeoutMs,
      ...given,
    });
  const failure = async (sending: Promise<unknown>) => {
    const error = await sending.catch((reason: unknown) => reason);
    if (!(error instanceof NoResponseError)) throw new Error('an answer came');
    return error;
  };

  it('with a body, posts it and returns the response', async () => {
    stub.respond(() => ({ status: 429, headers: { 'retry-after': '3' }, body: 'later' }));
    expect(await send()).toEqual({ status: 429, retryAfter: '3', text: 'later' });
    expect(stub.requests.at(-1)).toMatchObject({
      path: '/secret-path',
      headers: { 'x-a': 'b', 'content-length': '5' },
      body: Buffer.from('hello'),
    });
  });

  it('with a redirect, does not follow it', async () => {
    stub.respond(() => ({ status: 302, headers: { location: `${stub.url}/elsewhere` } }));
    const before = stub.requests.length;
    expect(await send()).toMatchObject({ status: 302 });
    expect(stub.requests.length).toBe(before + 1);
  });

  it('with a long response, reads a part of it', async () => {
    stub.respond(() => ({ status: 200, body: 'x'.repeat(5_000_000) }));
    expect((await send()).text).toBe('x'.repeat(2_048));
  });

  it('without a response in time, may have arrived', async () => {
    stub.respond(() => undefined);
    const error = await failure(send(undefined, 200));
    expect([error.mayHaveArrived, error.message]).toEqual([true, 'There was no response within 0.2 s.']);
  });

  it('to a closed port, has not arrived and names no address', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    const error = await failure(send(`http://127.0.0.1:${port}/secret-path`));
    expect([error.mayHaveArrived, error.message]).toEqual([false, 'It cannot be reached (ECONNREFUSED).']);
  });

  it('to a server that switches to another protocol, may have arrived', async () => {
    const server = createServer((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
      ),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const error = await failure(send(`http://127.0.0.1:${port}/secret-path`));
    expect([error.mayHaveArrived, error.message]).toEqual([
      true,
      'It cannot be reached (UNEXPECTED_UPGRADE).',
    ]);
    server.close();
  });

  it('over TLS to a server without TLS, has not arrived', async () => {
    const error = await failure(send(stub.url.replace('http:', 'https:')));
    expect(error.mayHaveArrived).toBe(false);
  });

  it('to a name that resolves to an inside address, is refused before a connection is made', async () => {
    const before = stub.requests.length;
    const { lookup } = createOutgoingGuard('public', async () => [{ address: '127.0.0.1', family: 4 }]);
    const url = stub.url.replace('127.0.0.1', 'rebound.example');
    const error = await failure(send(url, undefined, { lookup }));
    expect([error.mayHaveArrived, error.message]).toEqual([
      false,
      'This address is not allowed: it is neither in this network nor on the internet.',
    ]);
    expect(stub.requests.length).toBe(before);
  });
});
