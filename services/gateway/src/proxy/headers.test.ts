import { describe, expect, test } from 'vitest';
import { type Provenance, requestHeaders, responseHeaders } from './headers.js';

const known: Provenance = {
  requestId: 'r1',
  caller: 'admin',
  token: undefined,
  internalSecret: 's3cret',
  clientAddress: '192.0.2.7',
  protocol: 'https',
  host: 'hub.example:8443',
  prefix: '/birds',
  consistencyTokens: 'a:1',
  settingsVersion: 7,
};

function forwarded(
  headers: Record<string, string | string[]>,
  hasBody = false,
  changes: Partial<Provenance> = {},
) {
  const pairs = requestHeaders(headers, hasBody, { ...known, ...changes });
  const entries: [string, string][] = [];
  for (let i = 0; i < pairs.length; i += 2) entries.push([pairs[i] ?? '', pairs[i + 1] ?? '']);
  expect(new Set(entries.map(([name]) => name)).size).toBe(entries.length);
  return Object.fromEntries(entries);
}

describe('requestHeaders', () => {
  test('a request without headers, gets those that the gateway sets', () => {
    expect(forwarded({})).toEqual({
      'x-request-id': 'r1',
      'x-hub-caller': 'admin',
      'x-hub-internal': 's3cret',
      'x-hub-consistency-token': 'a:1',
      'x-hub-settings': '7',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'hub.example:8443',
      'x-forwarded-prefix': '/birds',
    });
  });

  test('forged internal headers, are replaced or removed', () => {
    const forged = forwarded(
      {
        'x-hub-caller': 'admin',
        'x-hub-internal': 'guess',
        'x-hub-consistency-token': 'x:9',
        'x-hub-settings': '99',
        'x-hub-other': '1',
        'x-forwarded-for': '1.1.1.1',
        'x-forwarded-proto': 'https',
        'x-forwarded-host': 'evil.example',
        'x-forwarded-prefix': '/evil',
        'x-forwarded-port': '1',
        forwarded: 'for=1.1.1.1',
        host: 'evil.example',
      },
      false,
      {
        caller: 'viewer',
        protocol: 'http',
        prefix: '',
        consistencyTokens: '',
        settingsVersion: 0,
        internalSecret: undefined,
      },
    );
    expect(forged).toEqual({
      'x-request-id': 'r1',
      'x-hub-caller': 'viewer',
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'hub.example:8443',
    });
  });

  test('hop-by-hop headers and those that Connection names, are removed', () => {
    const result = forwarded({
      connection: 'Close, X-Mine',
      'x-mine': '1',
      'keep-alive': 'timeout=5',
      te: 'trailers',
      trailer: 'x',
      'transfer-encoding': 'chunked',
      upgrade: 'h2c',
      expect: '100-continue',
      'proxy-authorization': 'Basic x',
      'proxy-connection': 'close',
      range: 'bytes=0-1',
      authorization: 'Bearer x',
      cookie: 'hub_session=x',
    });
    expect(Object.keys(result).filter((name) => !name.startsWith('x-'))).toEqual(['range']);
    expect(result).not.toHaveProperty('x-mine');
  });

  test('internal headers that Connection names, are kept', () => {
    const result = forwarded({ connection: 'x-hub-internal, x-forwarded-for' });
    expect(result).toMatchObject({ 'x-hub-internal': 's3cret', 'x-forwarded-for': '192.0.2.7' });
  });

  test('Content-Length, is kept only with a body', () => {
    expect(forwarded({ 'content-length': '3' }, true)).toHaveProperty('content-length', '3');
    expect(forwarded({ 'content-length': '3' }, false)).not.toHaveProperty('content-length');
  });

  test('an invalid host, is not forwarded', () => {
    expect(forwarded({}, false, { host: 'a"><script>' })).not.toHaveProperty('x-forwarded-host');
    expect(forwarded({}, false, { host: undefined })).not.toHaveProperty('x-forwarded-host');
  });
});

describe('responseHeaders', () => {
  test('a response of a service, keeps only the headers meant for clients', () => {
    const pairs = responseHeaders(
      {
        'content-type': 'text/plain',
        connection: 'keep-alive, x-mine',
        'x-mine': '1',
        'keep-alive': 'timeout=75',
        'transfer-encoding': 'chunked',
        'x-hub-consistency-token': 'a:1',
        'x-hub-any': '1',
        'x-request-id': 'other',
      },
      { 'x-request-id': 'r1' },
    );
    expect(pairs).toEqual(['x-request-id', 'r1', 'content-type', 'text/plain']);
  });

  test('a repeated header, stays repeated', () => {
    const pairs = responseHeaders({ 'set-cookie': ['a=1', 'b=2'] }, {});
    expect(pairs).toEqual(['set-cookie', 'a=1', 'set-cookie', 'b=2']);
  });

  test('Vary of the gateway and of the service, are joined', () => {
    const own = { vary: 'Origin', 'x-frame-options': 'SAMEORIGIN' };
    expect(responseHeaders({ vary: 'Accept', 'x-frame-options': 'DENY' }, own)).toEqual([
      'vary',
      'Origin, Accept',
      'x-frame-options',
      'SAMEORIGIN',
    ]);
  });
});
