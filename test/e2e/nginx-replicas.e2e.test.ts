import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { drawPort, listenOnAny } from '@birdhub/shared/ports';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findProgram } from '../support/find-program.js';
import { type Nginx, startNginx } from '../support/nginx.js';
import { startDnsServer } from './fixtures/dns-server.js';
import { useDataFolder } from './fixtures/temporary-hub.js';

const program = findProgram('nginx');
const addresses = ['127.0.0.2', '127.0.0.3'];

/** Requests that no gateway responds to. */
let heldRequests = 0;

/** In the place of a gateway: responds with its address, or not at all to `/held`. */
async function startGateway(address: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url === '/held') heldRequests += 1;
    else response.end(address);
  }).listen(port, address);
  await once(server, 'listening');
  return server;
}

describe.skipIf(!program || process.platform !== 'linux')('the delivered nginx before two gateways', () => {
  const folder = useDataFolder();
  const gateways: Server[] = [];
  let grafana: Server;
  let nginx: Nginx;
  let url: string;

  beforeAll(async () => {
    const gatewayPort = await listenOnAny(async (port) => {
      for (const gateway of gateways.splice(0)) gateway.close();
      for (const address of addresses) gateways.push(await startGateway(address, port));
      return port;
    }, drawPort());
    grafana = createServer(({ headers }, response) => response.end(headers.cookie));
    await once(grafana.listen(0, '127.0.0.1'), 'listening');
    const names = await startDnsServer(addresses);
    nginx = await startNginx({
      program: program ?? '',
      folder: join(folder.path, 'nginx'),
      server: 'http.conf',
      ports: [8080],
      replaced: {
        'gateway:8080': `gateway:${gatewayPort}`,
        'grafana:3000': `127.0.0.1:${(grafana.address() as AddressInfo).port}`,
        '127.0.0.11': `127.0.0.1:${names.port}`,
      },
    });
    url = `http://127.0.0.1:${nginx.portFor(8080)}/api/ui/health`;
    return names.stop;
  });
  afterAll(async () => {
    await nginx?.stop();
    for (const server of [...gateways, grafana]) server.close();
  });

  const askOften = async () => {
    const responses = await Promise.all(Array.from({ length: 40 }, () => fetch(url)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    return new Set(await Promise.all(responses.map((response) => response.text())));
  };

  it('with both running, spreads many requests over them', async () => {
    // Requests that wait for the first lookup of a worker go to one of them.
    await askOften();
    await expect.poll(askOften).toEqual(new Set(addresses));
  });

  it.each([
    ['hub_session=a', ''],
    ['hub_session=a; grafana_session=b; other=c', 'grafana_session=b; other=c'],
    ['grafana_session=b; hub_session=a', 'grafana_session=b;'],
    ['grafana_session=b;hub_session=a;other=c', 'grafana_session=b;other=c'],
    ['grafana_session=b; x_hub_session=a', 'grafana_session=b; x_hub_session=a'],
    ['grafana_session=b; hub_session=a; hub_session=c', ''],
  ])('for Grafana, of the cookies %s passes on %j', async (cookie, passed) => {
    const response = await fetch(new URL('/grafana/', url), { headers: { cookie } });
    expect(await response.text()).toBe(passed);
  });

  it('with 500 open requests of an address, refuses further ones of it as busy', async () => {
    const held = new AbortController();
    const requests = Array.from({ length: 500 }, () => fetch(new URL('/held', url), { signal: held.signal }));
    const ended = Promise.allSettled(requests);
    onTestFinished(() => held.abort());
    await expect.poll(() => heldRequests).toBe(500);
    const response = await fetch(url);
    expect(response.status).toBe(503);
    expect(response.headers.get('retry-after')).toBe('5');
    expect(await response.json()).toEqual({
      error: 'Too many requests of this kind are in progress; try again soon.',
      code: 'busy',
      request_id: response.headers.get('x-request-id'),
    });
    const fromElsewhere = get(url, { localAddress: '127.0.0.5' });
    expect(((await once(fromElsewhere, 'response')) as [IncomingMessage])[0].resume().statusCode).toBe(200);
    held.abort();
    await ended;
    await expect.poll(async () => (await fetch(url)).status).toBe(200);
  });

  it('with one stopped while its name still resolves, sends all requests to the other', async () => {
    gateways[0]?.close();
    gateways[0]?.closeAllConnections();
    expect(await askOften()).toEqual(new Set(addresses.slice(1)));
  });

  it('with both stopped, returns 502 in the form of the contract', async () => {
    gateways[1]?.close();
    gateways[1]?.closeAllConnections();
    const response = await fetch(url);
    const body = await response.json();
    expect([response.status, response.headers.get('retry-after')]).toEqual([502, '5']);
    expect(body).toEqual({
      error: 'The hub is not responding.',
      code: 'upstream_unavailable',
      request_id: response.headers.get('x-request-id'),
    });
  });
});
