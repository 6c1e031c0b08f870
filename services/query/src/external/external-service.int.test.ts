import { createLog } from '@birdhub/shared/log';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type StubService, startStubService } from '../testing/stub-service.js';
import { createExternalService, type ExternalService, requestUrl } from './external-service.js';

const key = 'k3y-of-the-hub';
const limits = { timeoutMs: 30_000, maxBytes: 1_000 };
const resetTimeoutMs = 1_000;

describe('createExternalService', () => {
  let stub: StubService;
  let lines: string[];
  let service: ExternalService;
  beforeEach(async () => {
    stub = await startStubService();
    lines = [];
    service = serviceWith(limits);
  });
  afterEach(() => stub.stop());

  const serviceWith = (ownLimits: typeof limits) => {
    const log = createLog('query', 'debug', { write: (line: string) => void lines.push(line) });
    return createExternalService('stub', {
      userAgent: 'Birdhub/test',
      log,
      limits: ownLimits,
      resetTimeoutMs,
    });
  };
  const ask = (base = stub.url) =>
    service.getJson({ url: requestUrl(base, '/things', { key }), headers: { 'x-token': key } });
  const failure = async (base?: string): Promise<string> => {
    const error = await ask(base).then(
      () => new Error('it succeeded'),
      (reason: Error) => reason,
    );
    expect(error.name).toBe('ExternalServiceError');
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain(key);
    expect(error.cause).toBeUndefined();
    return error.message;
  };

  it('a request that succeeds, is sent once with its headers and returns the JSON', async () => {
    stub.respondJson({ things: [1] });
    expect(await ask()).toEqual({ things: [1] });
    expect(stub.requests).toMatchObject([
      {
        url: `/things?key=${key}`,
        headers: expect.objectContaining({
          'user-agent': 'Birdhub/test',
          accept: 'application/json',
          'x-token': key,
        }),
      },
    ]);
  });

  it.each([301, 400, 401, 404, 429, 500, 503])(
    'a response with %d, is an error that names host and path',
    async (status) => {
      stub.respondJson({ error: key }, status);
      expect(await failure()).toBe(`${new URL(stub.url).host}/things responded with status ${status}`);
    },
  );

  it('a redirect, is not followed with its key', async () => {
    const other = await startStubService();
    stub.respond(() => ({ status: 302, headers: { location: `${other.url}/x` } }));
    expect(await failure()).toContain('status 302');
    expect(other.requests).toEqual([]);
    await other.stop();
  });

  it.each(['', '<html>', '{"a":'])('a body of %j, is an error', async (body) => {
    stub.respond(() => ({ status: 200, body }));
    expect(await failure()).toContain('did not return JSON');
  });

  it('a body above the limit, is an error and not read to the end', async () => {
    let isClosed = false;
    stub.respond((_request, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      const timer = setInterval(() => response.write('x'.repeat(600)), 5);
      response.on('close', () => clearInterval(timer));
    });
    expect(await failure()).toContain('returned more than 1000 bytes');
    await vi.waitFor(() => expect(isClosed).toBe(true));
  });

  it.each([
    ['never answers', () => undefined],
    ['never ends', (response: { write(text: string): void }) => response.write('{"a":')],
  ])('a server that %s, is an error in time', async (_, behave) => {
    service = serviceWith({ ...limits, timeoutMs: 200 });
    stub.respond((_request, response) => void behave(response));
    expect(await failure()).toContain('took longer than 200 ms');
  });

  it('a closed connection, is an error', async () => {
    stub.respond((_request, response) => void response.destroy());
    expect(await failure()).toContain('is not reachable (UND_ERR_SOCKET)');
  });

  it('a refused connection, is an error', async () => {
    await stub.stop();
    expect(await failure()).toContain('is not reachable (ECONNREFUSED)');
    stub = await startStubService();
  });

  it('a URL with a password, is an error that does not contain it', async () => {
    expect(await failure(stub.url.replace('//', `//me:${key}@`))).not.toContain('me');
  });

  it('repeated failures, open the circuit until the reset timeout', async () => {
    for (let count = 0; count < 3; count += 1) await failure();
    expect(await failure()).toBe('stub keeps failing and is not called for a while');
    expect(stub.requests).toHaveLength(3);
    stub.respondJson({ ok: true });
    await vi.waitFor(async () => expect(await ask()).toEqual({ ok: true }), { timeout: 30_000 });
    expect(lines.join('')).toMatch(/circuit opened.*circuit closed/s);
    expect(lines.join('')).not.toContain(key);
  });

  it('a wrong key refused repeatedly, does not open the circuit', async () => {
    stub.respondJson({}, 401);
    for (let count = 0; count < 6; count += 1) expect(await failure()).toContain('status 401');
    expect(stub.requests).toHaveLength(6);
  });

  it('repeated 429, opens the circuit', async () => {
    stub.respondJson({}, 429);
    for (let count = 0; count < 4; count += 1) await failure();
    expect(stub.requests).toHaveLength(3);
  });
});
