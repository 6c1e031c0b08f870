import type { IncomingHttpHeaders } from 'node:http';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { HubError } from '../errors/index.js';
import { createMetrics } from '../metrics/index.js';
import { createApp } from './create-app.js';
import { addEntityTags, attachment, isUnmodified, weakTag } from './response.js';

describe('addEntityTags', () => {
  const app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('test') });
  addEntityTags(app);
  app.get('/json', async () => ({ a: 1 }));
  app.post('/json', async () => ({ a: 1 }));
  app.get('/tagged', async (_request, reply) => {
    reply.header('etag', '"own"');
    return { a: 1 };
  });
  app.get('/text', async (_request, reply) => reply.type('text/plain').send('a'));
  app.get('/gone', async () => {
    throw new HubError('video_not_found');
  });
  afterAll(() => app.close());

  it('GET of JSON returns a weak entity tag and Cache-Control: no-cache', async () => {
    const { headers } = await app.inject('/json');
    expect(headers.etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('GET with a matching If-None-Match returns 304 without a body', async () => {
    const { headers } = await app.inject('/json');
    const again = await app.inject({ url: '/json', headers: { 'if-none-match': headers.etag } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    const other = await app.inject({ url: '/json', headers: { 'if-none-match': 'W/"other"' } });
    expect([other.statusCode, other.json()]).toEqual([200, { a: 1 }]);
  });

  it('HEAD returns the entity tag of GET', async () => {
    const { headers } = await app.inject({ method: 'HEAD', url: '/json' });
    expect(headers.etag).toBe((await app.inject('/json')).headers.etag);
  });

  it('a response with its own entity tag, keeps it', async () => {
    expect((await app.inject('/tagged')).headers.etag).toBe('"own"');
  });

  it.each([
    ['GET', '/text'],
    ['POST', '/json'],
    ['GET', '/gone'],
  ] as const)('%s %s, has no entity tag', async (method, url) => {
    expect((await app.inject({ method, url })).headers).not.toHaveProperty('etag');
  });
});

describe('weakTag', () => {
  it('the same parts, return the same weak tag', () => {
    expect(weakTag('a', Buffer.from('b'))).toBe(weakTag('a', 'b'));
    expect(weakTag('a')).toMatch(/^W\/"[\w-]{27}"$/);
  });

  it('another body, returns another tag', () => {
    expect(weakTag('a')).not.toBe(weakTag('b'));
  });
});

describe('isUnmodified', () => {
  const modified = 'Fri, 01 May 2026 08:00:00 GMT';
  const later = 'Fri, 01 May 2026 08:01:00 GMT';
  const earlier = 'Fri, 01 May 2026 07:59:59 GMT';
  const ask = (headers: IncomingHttpHeaders, etag: string) =>
    isUnmodified({ headers }, { getHeaders: () => ({ etag, 'last-modified': modified }) });

  it.each([
    ['W/"abc"', 'W/"abc"'],
    ['"abc"', 'W/"abc"'],
    ['W/"abc"', '"abc"'],
    ['"x", W/"abc" , "y"', 'W/"abc"'],
    ['*', '"abc"'],
  ])('If-None-Match: %s against %s is true', (header, tag) => {
    expect(ask({ 'if-none-match': header }, tag)).toBe(true);
  });

  it.each([
    [undefined, '"abc"'],
    ['', '"abc"'],
    ['abc', '"abc"'],
    ['"abcd"', '"abc"'],
    ['"x", "y"', 'W/"abc"'],
  ])('If-None-Match: %s against %s is false', (header, tag) => {
    expect(ask({ 'if-none-match': header }, tag)).toBe(false);
  });

  it.each([
    [{ 'if-modified-since': modified }, true],
    [{ 'if-modified-since': later }, true],
    [{ 'if-modified-since': earlier }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{ 'if-none-match': '"other"', 'if-modified-since': modified }, false],
    [{ 'if-none-match': '"abc"', 'if-modified-since': earlier }, true],
    [{ 'if-none-match': '"abc"', 'cache-control': 'no-cache' }, true],
  ])('%j is %s', (headers, expected) => {
    expect(ask(headers, '"abc"')).toBe(expected);
  });

  it('If-Modified-Since of a reply without a date is false', () => {
    const headers = { 'if-modified-since': later };
    expect(isUnmodified({ headers }, { getHeaders: () => ({ etag: '"abc"' }) })).toBe(false);
  });
});

describe('attachment', () => {
  it('a plain name, is quoted', () => {
    expect(attachment('2026-05-01_231530_garden 2.mp4')).toBe(
      'attachment; filename="2026-05-01_231530_garden 2.mp4"',
    );
  });

  it('a name with non-ASCII characters, is given in both forms', () => {
    expect(attachment("zahrada č'1.mp4")).toBe(
      `attachment; filename="zahrada _'1.mp4"; filename*=UTF-8''zahrada%20%C4%8D%271.mp4`,
    );
  });

  it('a name with quotes and percent signs, stays inside the header value', () => {
    expect(attachment('a"b\\c%41.mp4')).toBe(
      `attachment; filename="a_b_c_41.mp4"; filename*=UTF-8''a%22b%5Cc%2541.mp4`,
    );
  });
});
