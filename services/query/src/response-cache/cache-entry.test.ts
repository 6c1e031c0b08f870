import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CacheEntry, chooseEncoding } from './cache-entry.js';

describe('chooseEncoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['GZIP', 'gzip'],
  ])('Accept-Encoding %j, is %j', (header, expected) => {
    expect(chooseEncoding(header)).toBe(expected);
  });
});

describe('CacheEntry', () => {
  const json = JSON.stringify(Array.from({ length: 500 }, (_, at) => ({ at })));

  it('compressed, has the same bytes in every coding', async () => {
    const entry = new CacheEntry('key', json);
    await Promise.all([entry.compress('br'), entry.compress('gzip')]);
    expect(brotliDecompressSync(entry.find('br') ?? '').toString()).toBe(json);
    expect(gunzipSync(entry.find('gzip') ?? '').toString()).toBe(json);
    expect(entry.bytes).toBe(
      json.length + (entry.find('br')?.length ?? 0) + (entry.find('gzip')?.length ?? 0),
    );
  });

  it('the same JSON with another link, has another tag', () => {
    const [one, other] = [new CacheEntry('key', json), new CacheEntry('key', json, '</next>; rel="next"')];
    expect(one.etag).not.toBe(other.etag);
  });
});
