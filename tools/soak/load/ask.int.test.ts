import { type StubResponse, startStubHub } from '@birdhub/testing/processor-client/stub-hub';
import { describe, expect, it } from 'vitest';
import { type Asked, ask } from './ask.js';
import { Tally } from './tally.js';

const notYet = 'media_pending';
const waiting: StubResponse = { status: 503, body: { code: notYet } };

/** Sends one request to a hub that gives this response, and returns the outcome. */
async function askOnce(response: StubResponse, asked: Omit<Asked, 'method' | 'body'> = {}) {
  const hub = await startStubHub(() => response);
  const tally = new Tally();
  const init = { method: 'POST', body: '{}', ...asked };
  const found = await ask({ baseUrl: hub.baseUrl, tally }, 'a post', '/somewhere', init);
  await hub.close();
  return { text: found?.text, failures: tally.failures, count: tally.whole()['a post']?.count ?? 0 };
}

describe('ask', () => {
  it('with a successful response, returns its text and counts it', async () => {
    expect(await askOnce({ status: 200, body: 'yes' })).toEqual({ text: 'yes', failures: [], count: 1 });
  });

  it('with an error response, records it with its body', async () => {
    const { text, failures } = await askOnce(waiting);
    expect(text).toBeUndefined();
    expect(failures).toEqual(['a post: /somewhere was answered with 503: {"code":"media_pending"}']);
  });

  it('with an error that means not yet, records no failure, unlike with another error', async () => {
    expect((await askOnce(waiting, { notYet })).failures).toEqual([]);
    expect((await askOnce({ status: 503, body: { code: 'overloaded' } }, { notYet })).failures).toHaveLength(
      1,
    );
  });

  it('with a dropped connection, records a failure', async () => {
    expect((await askOnce('reset')).failures).toHaveLength(1);
  });

  it('when sent later than due, includes the delay in the time taken', async () => {
    const hub = await startStubHub(() => ({ status: 200, body: {} }));
    const tally = new Tally();
    const sentAt = performance.now() - 5_000;
    await ask({ baseUrl: hub.baseUrl, tally }, 'late', '/', { method: 'POST', body: '{}', sentAt });
    await hub.close();
    expect(tally.whole()['late']?.p50).toBeGreaterThan(5_000);
  });
});
