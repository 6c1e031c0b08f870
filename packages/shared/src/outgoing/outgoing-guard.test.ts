import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import {
  createOutgoingGuard,
  isPublicAddress,
  type OutgoingReach,
  RefusedAddressError,
} from './outgoing-guard.js';

const inside = { address: '10.0.0.1', family: 4 };
const outside = { address: '8.8.8.8', family: 4 };
const outside6 = { address: '2606:4700::1111', family: 6 };
const guard = (found: LookupAddress[], reach: OutgoingReach = 'public') =>
  createOutgoingGuard(reach, async () => found);
const check = (url: string, found: LookupAddress[] = [outside]) => guard(found).check(new URL(url));

function lookUp(found: LookupAddress[], options: { all?: boolean; family?: number } = {}) {
  return new Promise<unknown>((resolve, reject) =>
    guard(found).lookup('push.example', options, (error, address) =>
      error ? reject(error) : resolve(address),
    ),
  );
}

describe('guard of outgoing requests', () => {
  it.each([
    'https://127.0.0.1/a',
    'https://2130706433/a',
    'https://0x7f.1/a',
    'https://[::1]/a',
    'https://[::ffff:10.0.0.1]/a',
    'https://192.168.1.5:8443/a',
    'https://localhost./a',
    'https://hub.LOCALHOST/a',
  ])('%s, is refused whatever names resolve to', async (url) => {
    await expect(check(url)).rejects.toThrow(RefusedAddressError);
  });

  it('a name with one private address among others, is refused', async () => {
    await expect(check('https://push.example/a', [outside, inside])).rejects.toThrow(RefusedAddressError);
    await expect(lookUp([outside, inside])).rejects.toThrow(RefusedAddressError);
  });

  it('a name with public addresses only, passes and connects to one of them', async () => {
    await expect(check('https://push.example/a')).resolves.toBeUndefined();
    expect(await lookUp([outside])).toBe('8.8.8.8');
    expect(await lookUp([outside], { all: true })).toEqual([outside]);
  });

  it('a lookup of one family, returns addresses of that family or fails', async () => {
    expect(await lookUp([outside, outside6], { family: 6 })).toBe('2606:4700::1111');
    await expect(lookUp([outside], { family: 6 })).rejects.toThrow('has no address');
  });

  it('a name that does not resolve at the moment, passes the check and fails when connecting', async () => {
    const lost = createOutgoingGuard('public', async () => Promise.reject(new Error('ENOTFOUND')));
    await expect(lost.check(new URL('https://push.example'))).resolves.toBeUndefined();
    const connecting = new Promise((_, reject) => lost.lookup('push.example', {}, (error) => reject(error)));
    await expect(connecting).rejects.toThrow('ENOTFOUND');
  });

  it('a literal private address when allowed, passes', async () => {
    await expect(guard([inside], 'all').check(new URL('http://127.0.0.1'))).resolves.toBeUndefined();
  });
});

describe('guard for the local network', () => {
  const network = (url: string, found: LookupAddress[] = [inside]) =>
    guard(found, 'network').check(new URL(url));

  it.each([
    'http://192.168.1.5:8123/a',
    'http://10.0.0.7',
    'http://[fd12::1]:8123',
    'http://100.64.0.9',
    'http://8.8.8.8',
  ])('%s, passes', async (url) => {
    await expect(network(url)).resolves.toBeUndefined();
  });

  it('a name of a local host, passes, and connects to it', async () => {
    await expect(network('http://homeassistant.local:8123')).resolves.toBeUndefined();
    const address = await new Promise((resolve) =>
      guard([inside], 'network').lookup('homeassistant.local', {}, (_, found) => resolve(found)),
    );
    expect(address).toBe('10.0.0.1');
  });

  it.each([
    'http://127.0.0.1:5432',
    'http://2130706433/a',
    'http://0.0.0.0:4222',
    'http://[::1]:5432',
    'http://[::]:5432',
    'http://[::ffff:127.0.0.1]:5432',
    'http://localhost:8080',
    'http://169.254.169.254/latest',
    'http://[fe80::1]/a',
    'http://[64:ff9b::7f00:1]/a',
    'http://224.0.0.1',
    'http://255.255.255.255',
  ])('%s, is refused', async (url) => {
    await expect(network(url)).rejects.toThrow(RefusedAddressError);
  });

  it('a name with a loopback address among others, is refused by the check and when connecting', async () => {
    const found = [inside, { address: '127.0.0.1', family: 4 }];
    await expect(network('http://rebound.example', found)).rejects.toThrow(RefusedAddressError);
    const connecting = new Promise((resolve, reject) =>
      guard(found, 'network').lookup('rebound.example', {}, (error) =>
        error ? reject(error) : resolve(null),
      ),
    );
    await expect(connecting).rejects.toThrow(RefusedAddressError);
  });
});

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    '%s, returns true',
    (address) => expect(isPublicAddress(address)).toBe(true),
  );

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::2',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '2001::1',
    '2001:1ff:ffff::1',
    '2002:7f00:1::',
    '2001:db8::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '127.1',
    '2130706433',
    '0x8.8.8.8',
    '8.8.8.8 ',
    'localhost',
    '',
  ])('%s, returns false', (address) => expect(isPublicAddress(address)).toBe(false));
});
