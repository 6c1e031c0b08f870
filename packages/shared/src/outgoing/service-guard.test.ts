import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createOutgoingGuard, type OutgoingReach } from './outgoing-guard.js';
import { createServiceGuard, type ServiceGuard, toOwnAddresses } from './service-guard.js';

const names: Record<string, string> = {
  database: '10.0.0.2',
  frigate: '10.0.0.9',
  rebound: '127.0.0.1',
  'rebound.': '127.0.0.1',
  'localhost.': '127.0.0.1',
};
const resolve = async (host: string) => [{ address: names[host] ?? '', family: 4 }];
const guardOf = (reach: OutgoingReach) =>
  createServiceGuard({
    ownAddresses: [
      ...toOwnAddresses('postgresql://hub:secret@database/hub,postgresql://127.0.0.1', 5432),
      ...toOwnAddresses('8080', 0),
    ],
    guard: createOutgoingGuard(reach, resolve),
    ownGuard: createOutgoingGuard('all', resolve),
    machineAddresses: () => ['192.168.1.2', '2a00:1450::2'],
  });
const guard = guardOf('machine');

/** Returns the addresses to which a connection to an admitted host may go. */
async function admittedBy({ admit }: ServiceGuard, host: string, port: number) {
  const { lookup } = await admit(host, port);
  return new Promise<unknown>((done, fail) => {
    lookup(host, { all: true }, (error, found) => (error ? fail(error) : done(found)));
  });
}

describe('guard of services', () => {
  it.each([
    ['127.0.0.1', 5000, '127.0.0.1'],
    ['[::1]', 5000, '::1'],
    ['192.168.1.2', 5000, '192.168.1.2'],
    ['10.0.0.2', 5000, '10.0.0.2'],
    ['frigate', 8080, '10.0.0.9'],
    ['8.8.8.8', 443, '8.8.8.8'],
  ])('%s:%d, is admitted at %s', async (host, port, address) => {
    await expect(admittedBy(guard, host, port)).resolves.toEqual([{ address, family: isIP(address) }]);
  });

  it.each([
    ['127.0.0.1', 8080],
    ['127.9.9.9', 8080],
    ['[::1]', 8080],
    ['[::ffff:7f00:1]', 8080],
    ['::FFFF:127.0.0.1', 8080],
    ['0:0:0:0:0:0:0:1', 8080],
    ['192.168.1.2', 8080],
    ['::ffff:192.168.1.2', 8080],
    ['2A00:1450:0:0::2', 8080],
    ['rebound', 8080],
    ['rebound.', 8080],
    ['localhost.', 8080],
    ['database', 5432],
    ['10.0.0.2', 5432],
    ['169.254.169.254', 80],
    ['0.0.0.0', 80],
    ['224.0.0.1', 80],
  ])('%s:%d, is refused', async (host, port) => {
    await expect(guard.admit(host, port)).rejects.toMatchObject({ name: 'RefusedAddressError' });
  });

  it.each([
    'http://2130706433:8080',
    'http://0x7f.1:8080',
    'http://0177.0.0.1:8080',
    'http://127.1:8080',
    'http://[::127.0.0.1]:8080',
    'http://[64:ff9b::7f00:1]:8080',
    'http://[2002:7f00:1::]:8080',
    'http://①②⑦.0.0.1:8080',
  ])('%s, another spelling of this machine, is refused', async (text) => {
    const { hostname, port } = new URL(text);
    await expect(guard.admit(hostname, Number(port))).rejects.toMatchObject({ name: 'RefusedAddressError' });
  });

  it.each([
    ['network', '192.168.1.2'],
    ['network', '10.0.0.2'],
    ['public', '2a00:1450::2'],
  ] as const)(
    'for the reach %s, %s with the port of an own service at a loopback address or another name, is refused',
    async (reach, host) => {
      await expect(guardOf(reach).admit(host, 5432)).rejects.toMatchObject({ isOwn: true });
      await expect(admittedBy(guardOf(reach), host, 5433)).resolves.toMatchObject([{ address: host }]);
    },
  );

  it.each(['192.168.1.2', '::ffff:192.168.1.2', '2a00:1450::2'])(
    'that refuses this machine, %s with any port, is refused',
    async (host) => {
      const strict = createServiceGuard({
        ownAddresses: [],
        guard: createOutgoingGuard('network', resolve),
        refusesMachine: true,
        machineAddresses: () => ['192.168.1.2', '2a00:1450::2'],
      });
      await expect(strict.admit(host, 5433)).rejects.toMatchObject({ isOwn: true });
      await expect(admittedBy(strict, '192.168.1.3', 5433)).resolves.toMatchObject([
        { address: '192.168.1.3' },
      ]);
    },
  );

  it('self-signed certificates, are accepted in private networks only', async () => {
    expect(await guard.admit('frigate', 8971)).toMatchObject({ isPrivate: true });
    expect(await guard.admit('8.8.8.8', 443)).toMatchObject({ isPrivate: false });
  });

  it('toOwnAddresses, URLs, lists and ports, are parsed', () => {
    expect(toOwnAddresses('nats://a:4222,nats://b', 4222)).toEqual([
      { host: 'a', port: 4222 },
      { host: 'b', port: 4222 },
    ]);
    expect(toOwnAddresses('gateway:8080,9464', 0)).toEqual([
      { host: 'gateway', port: 8080 },
      { host: undefined, port: 9464 },
    ]);
  });
});
