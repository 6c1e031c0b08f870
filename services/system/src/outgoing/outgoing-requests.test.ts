import type { LookupAddress } from 'node:dns';
import { describe, expect, it } from 'vitest';
import { createOutgoingGuard, isPublicAddress, RefusedAddressError } from './outgoing-requests.js';

const inside = { address: '10.0.0.1', family: 4 };
const outside = { address: '8.8.8.8', family: 4 };
const outside6 = { address: '2606:4700::1111', family: 6 };
const guard = (found: LookupAddress[], allowsPrivate = false) =>
  createOutgoingGuard(allowsPrivate, async () => found);
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

  it('a name with public addresses alone, passes and connects to one of them', async () => {
    await expect(check('https://push.example/a')).resolves.toBeUndefined();
    expect(await lookUp([outside])).toBe('8.8.8.8');
    expect(await lookUp([outside], { all: true })).toEqual([outside]);
  });

  it('one family, gives addresses of that family or none', async () => {
    expect(await lookUp([outside, outside6], { family: 6 })).toBe('2606:4700::1111');
    await expect(lookUp([outside], { family: 6 })).rejects.toThrow('has no address');
  });

  it('a name that leads nowhere just now, passes the check and cannot be connected to', async () => {
    const lost = createOutgoingGuard(false, async () => Promise.reject(new Error('ENOTFOUND')));
    await expect(lost.check(new URL('https://push.example'))).resolves.toBeUndefined();
    const connecting = new Promise((_, reject) => lost.lookup('push.example', {}, (error) => reject(error)));
    await expect(connecting).rejects.toThrow('ENOTFOUND');
  });

  it('a literal private address when they are allowed, passes', async () => {
    await expect(guard([inside], true).check(new URL('http://127.0.0.1'))).resolves.toBeUndefined();
  });
});

describe('public address', () => {
  it.each(['8.8.8.8', '172.15.255.255', '172.32.0.1', '223.255.255.255', '2606:4700::1111', '2a00:1450::1'])(
    '%s, is one',
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
  ])('%s, is none', (address) => expect(isPublicAddress(address)).toBe(false));
});
