import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runLoad } from './run-load.js';

const received: string[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    received.push(`${request.method} ${request.url} ${body.length}`);
    if (request.url === '/chunked') response.write('a'.repeat(70_000));
    response.end('b'.repeat(1_000));
  });
});
let origin = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

const job = { connections: 3, seconds: 0.2, first: 40, expectedStatus: 200 };

describe('runLoad', () => {
  it('with several connections, sends and counts each request once', async () => {
    received.length = 0;
    const plan = { kind: 'shifting-window', path: '/t', start: 0, end: 1_000 } as const;
    const result = await runLoad({ ...job, origin, plan });
    expect(result.requests).toBe(received.length);
    expect(new Set(received).size).toBe(received.length);
    expect(received).toContain('GET /t?start_time=0.04&end_time=1 0');
    expect(result.p50).toBeLessThanOrEqual(result.p99);
  });

  it('with chunked responses, counts all bytes', async () => {
    const plan = { kind: 'same', request: { method: 'GET', path: '/chunked' } } as const;
    expect((await runLoad({ ...job, origin, plan })).bytes).toBeGreaterThan(71_000);
  });

  it('with new recordings, posts their bodies', async () => {
    received.length = 0;
    await runLoad({ ...job, origin, plan: { kind: 'new-recordings', path: '/videos' } });
    expect(received.every((line) => Number(line.split(' ')[2]) > 3_000)).toBe(true);
  });

  it('with an unexpected status, rejects', async () => {
    const plan = { kind: 'same', request: { method: 'GET', path: '/' } } as const;
    await expect(runLoad({ ...job, origin, plan, expectedStatus: 304 })).rejects.toThrow('with 200, not 304');
  });
});
