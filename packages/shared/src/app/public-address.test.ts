import { describe, expect, it } from 'vitest';
import { publicAddress, publicPrefix } from './public-address.js';

describe('publicPrefix', () => {
  it.each(['/birds', '/garden/birds-2', '/~me/v1.0'])('%s, is accepted', (prefix) => {
    expect(publicPrefix({ headers: { 'x-forwarded-prefix': prefix } })).toBe(prefix);
  });

  it.each(['', '/', '//evil.example', '/a/', 'birds', '/a b', '/a>; rel="x"', 'https://evil.example'])(
    '%j, is ignored',
    (prefix) => {
      expect(publicPrefix({ headers: { 'x-forwarded-prefix': prefix } })).toBe('');
    },
  );

  it('without the header, is empty', () => {
    expect(publicPrefix({ headers: {} })).toBe('');
  });
});

describe('publicAddress', () => {
  const forwarded = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'birds.example',
    'x-forwarded-prefix': '/b',
  };

  it.each([
    ['https://hub.example/birds/', forwarded, 'https://hub.example/birds'],
    ['', forwarded, 'https://birds.example/b'],
    ['', { host: 'hub.local:8080' }, 'http://hub.local:8080'],
    ['', {}, 'http://localhost'],
  ])('base URL %j and a request with %j, returns %s', (baseUrl, headers, address) => {
    expect(publicAddress({ headers }, baseUrl)).toBe(address);
  });
});
