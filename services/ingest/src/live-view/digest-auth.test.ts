import { describe, expect, it } from 'vitest';
import { digestAuthorization } from './digest-auth.js';

const request = {
  method: 'GET',
  path: '/dir/index.html',
  username: 'Mufasa',
  password: 'Circle of Life',
};
const challenge = (algorithm: string) =>
  `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';
const responseOf = (header: string | undefined) => /response="([^"]*)"/.exec(header ?? '')?.[1];

describe('digestAuthorization', () => {
  it.each([
    ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
    ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
  ])('with the example of RFC 7616 for %s, has its response', (algorithm, response) => {
    const header = digestAuthorization(challenge(algorithm), request, cnonce);
    expect(responseOf(header)).toBe(response);
    expect(header).toContain(`algorithm=${algorithm}, qop=auth, nc=00000001, cnonce="${cnonce}"`);
    expect(header).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  });

  it('with several challenges, answers the one with the strongest supported hash', () => {
    const header = `Basic realm="x, y", ${challenge('MD5')}, ${challenge('SHA-256')}, ${challenge('WHIRLPOOL')}`;
    expect(digestAuthorization(header, request, cnonce)).toContain('algorithm=SHA-256');
  });

  it('with a challenge without qop, has the response of RFC 2069', () => {
    const header = digestAuthorization('Digest realm="r", nonce="n"', request);
    // MD5(MD5("Mufasa:r:Circle of Life"):n:MD5("GET:/dir/index.html"))
    expect(responseOf(header)).toBe('0bab5c24c08a1ef94a6cc3d446ce558a');
    expect(header).not.toContain('qop');
  });

  it('with the session variant of a hash, includes both nonces in the secret', () => {
    const plain = responseOf(digestAuthorization(challenge('MD5'), request, cnonce));
    const session = responseOf(digestAuthorization(challenge('MD5-sess'), request, cnonce));
    expect(session).toMatch(/^[0-9a-f]{32}$/);
    expect(session).not.toBe(plain);
  });

  it('with quotes in the user and the realm, escapes them', () => {
    const header = digestAuthorization('Digest realm="a \\"b\\"", nonce="n"', {
      ...request,
      username: 'x", y="z',
    });
    expect(header).toContain('username="x\\", y=\\"z", realm="a \\"b\\""');
  });

  it.each([
    ['no header', undefined],
    ['another scheme', 'Basic realm="camera"'],
    ['only protection of bodies', 'Digest realm="r", nonce="n", qop="auth-int"'],
    ['an unknown hash', challenge('WHIRLPOOL')],
    ['no nonce', 'Digest realm="r"'],
  ])('with %s, is undefined', (_, header) => {
    expect(digestAuthorization(header, request)).toBeUndefined();
  });
});
