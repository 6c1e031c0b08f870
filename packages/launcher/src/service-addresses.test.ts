import { describe, expect, it } from 'vitest';
import { toLocalOrigin, toPublicAddress } from './service-addresses.js';

describe('toPublicAddress', () => {
  it.each([
    ['0.0.0.0', '', 'http://localhost:8080/'],
    ['::', '/hub', 'http://localhost:8080/hub/'],
    ['192.168.1.5', '', 'http://192.168.1.5:8080/'],
    ['fd00::1', '', 'http://[fd00::1]:8080/'],
  ])('a server on %s below "%s", has the address %s', (host, basePath, address) => {
    expect(toPublicAddress(host, 8080, basePath)).toBe(address);
  });
});

describe('toLocalOrigin', () => {
  it.each([
    ['0.0.0.0', 'http://127.0.0.1:80'],
    ['::1', 'http://[::1]:80'],
    ['192.168.1.5', 'http://192.168.1.5:80'],
  ])('a server on %s, is reached at %s', (host, origin) => {
    expect(toLocalOrigin(host, 80)).toBe(origin);
  });
});
