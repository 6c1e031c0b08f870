import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { HubError } from '../errors/index.js';
import { createMetrics } from '../metrics/index.js';
import { createApp } from './create-app.js';
import { tagAnswers } from './tag-answers.js';

const app = createApp({ log: pino({ level: 'silent' }), metrics: createMetrics('test') });
tagAnswers(app);
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

describe('tagAnswers', () => {
  it('JSON that answers a GET, has a weak tag and is asked for again before it is used', async () => {
    const { headers } = await app.inject('/json');
    expect(headers.etag).toMatch(/^W\/"[\w-]+"$/);
    expect(headers['cache-control']).toBe('no-cache');
  });

  it('a caller that has it, gets 304 without a body', async () => {
    const { headers } = await app.inject('/json');
    const again = await app.inject({ url: '/json', headers: { 'if-none-match': headers.etag } });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', headers.etag]);
    const other = await app.inject({ url: '/json', headers: { 'if-none-match': 'W/"other"' } });
    expect([other.statusCode, other.json()]).toEqual([200, { a: 1 }]);
  });

  it('HEAD, has the tag that GET has', async () => {
    const { headers } = await app.inject({ method: 'HEAD', url: '/json' });
    expect(headers.etag).toBe((await app.inject('/json')).headers.etag);
  });

  it('an answer with a tag of its own, keeps it', async () => {
    expect((await app.inject('/tagged')).headers.etag).toBe('"own"');
  });

  it.each([
    ['GET', '/text'],
    ['POST', '/json'],
    ['GET', '/gone'],
  ] as const)('%s %s, has none', async (method, url) => {
    expect((await app.inject({ method, url })).headers).not.toHaveProperty('etag');
  });
});
