import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startTestGateway, testContract } from '../testing/gateway.js';
import { sendRequest, startTestService } from '../testing/http.js';

const responses = (type: string) =>
  `responses: { '200': { content: { ${type}: { schema: { type: string } } } } }`;
const contractText = `${testContract}
  /api/ui/events: { get: { operationId: listen, x-hub-service: query, security: [], ${responses('text/event-stream')} } }
  /api/ui/film: { get: { operationId: film, x-hub-service: query, security: [], ${responses('video/mp4')} } }
`;

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Listener = Parameters<typeof startTestService>[0];

async function start(
  query: Listener,
  options: Omit<Parameters<typeof startTestGateway>[0], 'services'> = {},
) {
  const service = await startTestService(query);
  closers.push(service.close);
  const gateway = await startTestGateway({ services: { query: service.url }, contractText, ...options });
  closers.push(gateway.close);
  const countConnections = () =>
    new Promise<number>((resolve) => service.server.getConnections((_error, count) => resolve(count)));
  const untilClosed = () =>
    vi.waitFor(async () => expect(await countConnections()).toBe(0), { interval: 50 });
  const open = (localAddress = '127.0.0.1'): Socket => {
    const socket = connect({ port: gateway.port, host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    closers.push(() => socket.destroy());
    return socket;
  };
  return { service, gateway, countConnections, untilClosed, open, things: `${gateway.url}/api/ui/things` };
}

const get = (path: string, rest = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${rest}\r\n`;

/** Everything that a socket receives, as text. */
function collect(socket: Socket): () => string {
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part;
  });
  return () => text;
}

describe('a request target with a host', () => {
  test.each([
    ['http://localhost', '/api/ui/things/1?a=b', 200],
    ['HTTP://127.0.0.1:8080', '/api/ui/things/1?a=b', 200],
    ['http://evil.example', '/api/ui/things/1', 421],
    ['https://localhost@evil.example', '/api/ui/things/1', 421],
    ['ftp://localhost', '/api/ui/things/1', 404],
  ])('%s%s, is %i, and services get its path only', async (origin, path, status) => {
    const { open, service } = await start((_request, response) => response.end());
    const socket = open();
    const text = collect(socket);
    socket.write(get(`${origin}${path}`));
    await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 \d/));
    expect(Number(text().split(' ')[1])).toBe(status);
    expect(service.requests.map(({ url }) => url)).toEqual(status === 200 ? [path] : []);
  });
});

const countStatus = (text: string, status = 200) => text.split(`HTTP/1.1 ${status} `).length - 1;

describe('requests pipelined on one connection', () => {
  test('300 of them, are handled in order, one at a time', async () => {
    let underWay = 0;
    let most = 0;
    const { open } = await start((request, response) => {
      underWay += 1;
      most = Math.max(most, underWay);
      setImmediate(() => {
        underWay -= 1;
        response.end(`<${request.url?.split('/').at(-1)}>`);
      });
    });
    const socket = open();
    const text = collect(socket);
    const numbers = Array.from({ length: 300 }, (_, index) => index);
    socket.write(numbers.map((number) => get(`/api/ui/things/${number}`)).join(''));
    await vi.waitFor(() => expect(countStatus(text())).toBe(300));
    expect([...text().matchAll(/<(\d+)>/g)].map((match) => Number(match[1]))).toEqual(numbers);
    expect(most).toBe(1);
  });

  test('by a client that closes, leave no open request at the service, and others are served', async () => {
    const { service, open, untilClosed, gateway } = await start((request, response) => {
      if (request.url === '/api/ui/things/1') response.end('fine');
    });
    const socket = open();
    socket.write(get('/api/ui/things').repeat(300));
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0));
    socket.destroy();
    await untilClosed();
    expect(service.requests).toHaveLength(1);
    expect((await sendRequest(`${gateway.url}/api/ui/things/1`)).text).toBe('fine');
  });

  test('500 event streams of a client that closes, leave no open request at the service', async () => {
    const { service, open, untilClosed } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n');
    });
    const socket = open();
    socket.write(get('/api/ui/events').repeat(500));
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0));
    await pause(100);
    socket.destroy();
    await untilClosed();
    expect(service.requests).toHaveLength(1);
  });

  test('with large responses that the client reads late, arrive complete', async () => {
    const { open } = await start((_request, response) => response.end('x'.repeat(3_000_000)));
    const socket = open().pause();
    socket.write(get('/api/ui/things').repeat(8));
    await pause(300);
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
    });
    socket.resume();
    await vi.waitFor(() => expect(bytes).toBeGreaterThan(8 * 3_000_000));
  });

  test('beyond the limit of one connection, close it', async () => {
    const { service, open, untilClosed } = await start(() => undefined);
    const socket = open();
    const closed = once(socket, 'close');
    for (let index = 0; index < 5 && !socket.destroyed; index += 1) {
      socket.write(get('/api/ui/things').repeat(300));
      await pause(20);
    }
    await closed;
    await untilClosed();
    expect(service.requests.length).toBeLessThan(2);
  });

  test('a post after a read, reaches the service with its own body, and so does the next read', async () => {
    const { open } = await start(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      response.end(`<${request.method} ${body}>`);
    });
    const socket = open();
    const text = collect(socket);
    const post = 'POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello';
    const withBody = 'GET /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nGET ';
    socket.write(`${withBody}${post}${get('/api/ui/things')}`);
    await vi.waitFor(() => expect(countStatus(text())).toBe(3));
    expect(text().match(/<[^>]*>/g)).toEqual(['<GET >', '<POST hello>', '<GET >']);
  });

  test('a post with Expect after a read, gets 100 Continue after the response of the read', async () => {
    const { open } = await start(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      setTimeout(() => response.end(`<${body}>`), 50);
    });
    const socket = open();
    const text = collect(socket);
    socket.write(
      `${get('/api/ui/things')}POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
    );
    await vi.waitFor(() => expect(text()).toContain('100 Continue'));
    expect(text().indexOf('<>')).toBeLessThan(text().indexOf('100 Continue'));
    socket.write('ok');
    await vi.waitFor(() => expect(text()).toContain('<ok>'));
  });

  test('malformed bytes after a read, get no response before that of the read', async () => {
    const { open } = await start((_request, response) => void setTimeout(() => response.end('read'), 100));
    const socket = open();
    const text = collect(socket);
    socket.write(`${get('/api/ui/things')}NONSENSE\r\n\r\n`);
    await once(socket, 'close');
    expect(text()).not.toContain('HTTP/1.1 400');
  });
});

describe('a slow client', () => {
  const megabyte = Buffer.alloc(1024 * 1024);
  const film: Listener = (request, response) => {
    if (request.url !== '/api/ui/film') return void response.end('fine');
    let sent = 0;
    const write = () => {
      while (sent < 20) {
        sent += 1;
        if (!response.write(megabyte)) return void response.once('drain', write);
      }
      response.end();
    };
    write();
  };

  test('that reads none of its response, is disconnected, and so is the service', async () => {
    const { open, countConnections, untilClosed } = await start(film, { clientStallTimeoutMs: 600 });
    const socket = open().pause();
    socket.write(get('/api/ui/film'));
    const closed = once(socket, 'close');
    await vi.waitFor(async () => expect(await countConnections()).toBe(1));
    await untilClosed();
    socket.resume();
    await closed;
  });

  test('that reads its response in pieces, gets all of it', async () => {
    const { open } = await start(film, { clientStallTimeoutMs: 2_000 });
    const socket = open();
    let bytes = 0;
    socket.on('data', (part: Buffer) => {
      bytes += part.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    socket.write(get('/api/ui/film', 'Connection: close\r\n'));
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(20 * megabyte.length);
  });

  test('that does not read its events, is disconnected when they pile up', async () => {
    const { open, countConnections, untilClosed } = await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const flood = setInterval(() => response.write(`data: ${'x'.repeat(100_000)}\n\n`), 1);
        response.once('close', () => clearInterval(flood));
      },
      { clientStallTimeoutMs: 600 },
    );
    open().pause().write(get('/api/ui/events'));
    await vi.waitFor(async () => expect(await countConnections()).toBe(1));
    await untilClosed();
  });

  test('that rarely gets events, stays connected', async () => {
    const { open } = await start(
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 1\n\n');
        setTimeout(() => response.end('data: late\n\n'), 1_500);
      },
      { clientStallTimeoutMs: 300 },
    );
    const socket = open();
    const text = collect(socket);
    socket.write(get('/api/ui/events'));
    await vi.waitFor(() => expect(text()).toContain('data: late'), 10_000);
  });

  test('that sends its body byte by byte, is 408 without a request to the service', async () => {
    const { service, open } = await start((_request, response) => void response.end('x'), {
      clientStallTimeoutMs: 400,
    });
    const socket = open();
    const text = collect(socket);
    socket.write('POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 20);
    await once(socket, 'close');
    clearInterval(drip);
    expect(text()).toMatch(/^HTTP\/1\.1 408 /);
    expect(text()).toContain('"code":"request_timeout"');
    expect(service.requests).toHaveLength(0);
  });

  test('that stops in the middle of a large body, is 408 and the service is disconnected', async () => {
    const { service, open, untilClosed } = await start((request) => void request.resume(), {
      clientStallTimeoutMs: 400,
    });
    const socket = open();
    const text = collect(socket);
    socket.write('POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
    socket.write('x'.repeat(200_000));
    await once(socket, 'close');
    expect(service.requests).toHaveLength(1);
    expect(text()).toMatch(/^HTTP\/1\.1 408 /);
    await untilClosed();
  });

  test('that sends a large body steadily, is served', async () => {
    const { open } = await start(
      async (request, response) => {
        let bytes = 0;
        for await (const part of request) bytes += (part as Buffer).length;
        response.end(`<${bytes}>`);
      },
      { clientStallTimeoutMs: 500 },
    );
    const socket = open();
    const text = collect(socket);
    socket.write('POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n');
    for (let part = 0; part < 20; part += 1) {
      socket.write('x'.repeat(50_000));
      await pause(100);
    }
    await vi.waitFor(() => expect(text()).toContain('<1000000>'), 10_000);
  });

  test('one of 300 that send no complete body, occupies no connection to the service', async () => {
    const { open, things, service, gateway } = await start((_request, response) => void response.end('fine'));
    const sockets = Array.from({ length: 300 }, () => {
      const socket = open();
      socket.write('POST /api/ui/things HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n{');
      return socket;
    });
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    expect((await sendRequest(things)).status).toBe(200);
    expect(service.requests).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    expect(gateway.upstreams.pools.requests.query.state()).toMatchObject({ busyConnections: 0, waiting: 0 });
  });
});

describe('a slow service', () => {
  test('with as many requests as allowed, is 503 busy with Retry-After for the next', async () => {
    // The requests are still open when the last of them arrives, however slow this machine is.
    const { gateway, things, service } = await start(() => undefined, { timeoutMs: 60_000 });
    const asked = Array.from({ length: 260 }, () => sendRequest(things).catch(() => undefined));
    await vi.waitFor(() => expect(service.requests).toHaveLength(256), 30_000);
    const refused = (await Promise.race(asked)) ?? (await sendRequest(things));
    expect([refused.status, refused.json['code']]).toEqual([503, 'busy']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await sendRequest(`${gateway.url}/api/ui/health`)).status).toBe(200);
  });

  test('that stalls in its response, has its client disconnected', async () => {
    const { things } = await start((_request, response) => void response.write('begin'), {
      idleTimeoutMs: 500,
    });
    await expect(sendRequest(things)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});

describe('an address', () => {
  test('with more connections than allowed, is 503 busy on the next, and others are 200', async () => {
    const { open } = await start((_request, response) => void response.end('fine'), {
      maxConnectionsPerAddress: 2,
    });
    const askOn = async (socket: Socket) => {
      const text = collect(socket);
      socket.write(get('/api/ui/things'));
      await vi.waitFor(() => expect(text()).toMatch(/^HTTP\/1\.1 \d+/));
      return text();
    };
    const [first, second, third] = [open(), open(), open()];
    expect(await askOn(first)).toContain('200 OK');
    expect(await askOn(second)).toContain('200 OK');
    const refused = await askOn(third);
    expect(refused).toContain('HTTP/1.1 503');
    expect(refused).toMatch(/retry-after: \d/i);
    expect(refused).toMatch(/connection: close/i);
    expect(await askOn(open('127.0.0.2'))).toContain('200 OK');
    first.destroy();
    await vi.waitFor(async () => expect(await askOn(open())).toContain('200 OK'));
  });

  test('of a trusted proxy, may open any number of connections', async () => {
    const { things } = await start((_request, response) => void setTimeout(() => response.end('fine'), 200), {
      maxConnectionsPerAddress: 2,
      trustedProxies: '127.0.0.0/8',
    });
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendRequest(things)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe('a client', () => {
  test('of HTTP/1.0 without keep-alive, gets the response and the connection closes', async () => {
    const { open } = await start((_request, response) => void response.end('fine'));
    const socket = open();
    const text = collect(socket);
    socket.write('GET /api/ui/things HTTP/1.0\r\nHost: localhost\r\n\r\n');
    await once(socket, 'close');
    expect(text()).toMatch(/^HTTP\/1\.1 200 (?:.*\r\n)*\r\nfine$/);
  });

  test('that ends its side before the response, leaves no open request at the service', async () => {
    const { open, service, untilClosed } = await start(() => undefined);
    const socket = open();
    socket.end(get('/api/ui/things').repeat(3));
    await vi.waitFor(() => expect(service.requests.length).toBeGreaterThan(0));
    await untilClosed();
  });
});

test('GET /api/ui/readiness, with a service that accepts connections and never responds, is 503 for all clients', async () => {
  const { gateway, service } = await start(() => undefined);
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => sendRequest(`${gateway.url}/api/ui/readiness`)),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(service.requests.filter(({ url }) => url === '/internal/readiness').length).toBeLessThan(50);
});
