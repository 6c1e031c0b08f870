import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { parseTrustedProxies, prefixOf } from './trusted-proxies.js';

describe('parseTrustedProxies', () => {
  const isTrusted = parseTrustedProxies('127.0.0.0/8, ::1/128,10.1.2.3,fd00::/8');
  const cases: [string | undefined, boolean][] = [
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::ffff:127.0.0.1', true],
    ['::1', true],
    ['10.1.2.3', true],
    ['10.1.2.4', false],
    ['fd12::1', true],
    ['fe80::1', false],
    ['128.0.0.1', false],
    ['not an address', false],
    ['', false],
    [undefined, false],
  ];
  test.each(cases)('a list of networks, the address %s, is %s', (address, expected) => {
    expect(isTrusted(address)).toBe(expected);
  });

  test('an empty list, trusts not even loopback', () => {
    expect(parseTrustedProxies('')('127.0.0.1')).toBe(false);
  });

  test.each(['10.0.0.0/33', 'proxy.local', '10.0.0.0/8/8', '10.0.0.0/x', '::1/129', '10.0.0.0/'])(
    'an invalid entry, %s, is named in the error',
    (entry) => {
      expect(() => parseTrustedProxies(`127.0.0.1,${entry}`)).toThrow(`TRUSTED_PROXIES: ${entry}`);
    },
  );
});

describe('prefixOf', () => {
  const prefix = (header: string | undefined, basePath: string, isTrusted = () => true) => {
    const headers = header === undefined ? {} : { 'x-forwarded-prefix': header };
    return prefixOf({ headers, socket: new Socket() }, { basePath, isTrusted });
  };
  const cases: [string | undefined, string, string][] = [
    [undefined, '', ''],
    [undefined, '/hub', '/hub'],
    ['/birds', '', '/birds'],
    ['/birds/', '', '/birds'],
    ['/birds', '/hub', '/birds/hub'],
    ['/a/b', '/hub', '/a/b/hub'],
    ['/', '/hub', '/hub'],
    ['', '/hub', '/hub'],
    ['//evil.example', '', ''],
    ['/a//b', '/hub', '/hub'],
    ['https://evil.example', '', ''],
    ['/a\\b', '', ''],
    ['/a?b', '', ''],
    ['/a, /b', '/hub', '/hub'],
  ];
  test.each(cases)(
    'the header %j of a trusted proxy and the base path %j, give %j',
    (header, basePath, expected) => {
      expect(prefix(header, basePath)).toBe(expected);
    },
  );

  test('a header of an untrusted peer, is ignored', () => {
    expect(prefix('/birds', '/hub', () => false)).toBe('/hub');
  });

  test.each([
    ['/api/hassio_ingress/aB3-_x', '/api/hassio_ingress/aB3-_x'],
    ['//evil.example', ''],
    ['/a"><script>', ''],
  ])('the ingress path %j of Home Assistant, gives the prefix %j', (header, expected) => {
    const headers = { 'x-ingress-path': header };
    const socket = new Socket();
    expect(prefixOf({ headers, socket }, { basePath: '', isTrusted: () => true })).toBe(expected);
    expect(prefixOf({ headers, socket }, { basePath: '', isTrusted: () => false })).toBe('');
  });
});
