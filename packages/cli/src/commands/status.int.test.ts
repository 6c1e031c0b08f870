import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readOptions } from '@birdhub/launcher/options';
import { afterEach, describe, expect, it } from 'vitest';
import { printServices, probeServices } from './status.js';
import { stopHub } from './stop.js';

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Starts an ops port that answers /readyz with this status, or never. */
async function opsPort(status: number | 'silent', missing: readonly string[] = []): Promise<URL> {
  const server = createServer((request, response) => {
    if (status === 'silent') return;
    response.writeHead(request.url === '/readyz' ? status : 404).end(JSON.stringify({ missing }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

describe('probeServices', () => {
  it('services that respond, are ready, or not ready with what is missing', async () => {
    const urls = [await opsPort(200), await opsPort(503, ['database'])];
    expect(await probeServices(urls)).toEqual([
      { name: '127.0.0.1', address: urls[0]?.host, condition: 'ready', missing: [] },
      { name: '127.0.0.1', address: urls[1]?.host, condition: 'not ready', missing: ['database'] },
    ]);
  });

  it('a closed port, a silent one and an unknown host name, are down', async () => {
    const closed = await opsPort(200);
    await new Promise((resolve) => servers.pop()?.close(resolve));
    const urls = [closed, await opsPort('silent'), new URL('http://nobody.invalid:9464')];
    const conditions = await probeServices(urls);
    expect(conditions.map(({ condition }) => condition)).toEqual(['down', 'down', 'down']);
    expect(conditions.at(-1)).toEqual({
      name: 'nobody.invalid',
      address: undefined,
      condition: 'down',
      missing: [],
    });
  });
});

describe('printServices', () => {
  const service = (condition: 'ready' | 'not ready' | 'down') => ({
    name: 'query',
    address: '10.0.0.2:9464',
    condition,
    missing: [],
  });

  it('the exit code, is 0 if all are ready, 1 if some are not, 3 if none responds', () => {
    expect(printServices([service('ready'), service('ready')])).toBe(0);
    expect(printServices([service('ready'), service('down')])).toBe(1);
    expect(printServices([service('not ready')])).toBe(1);
    expect(printServices([service('down'), service('down')])).toBe(3);
  });
});

describe('stopHub', () => {
  it('with services that run elsewhere, is refused with how to stop them', async () => {
    const options = readOptions({ HUB_OPS_URLS: 'http://query:9464' }, '/');
    await expect(stopHub(options)).rejects.toThrow('docker compose stop');
  });
});
