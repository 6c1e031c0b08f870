import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withAnySignal } from './with-any-signal.js';

describe('withAnySignal', () => {
  it.each([0, 1])('when signal %i fires, aborts the work with its reason', async (index) => {
    const controllers = [new AbortController(), new AbortController()];
    const reason = new Error('stopped');
    const found = withAnySignal(
      controllers.map(({ signal }) => signal),
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(signal.reason))),
    );
    controllers[index]?.abort(reason);
    expect(await found).toBe(reason);
  });

  it('with a signal that has fired and one that is undefined, starts aborted', async () => {
    const fired = AbortSignal.abort(new Error('stopped'));
    const isAborted = await withAnySignal([undefined, fired], ({ aborted }) => aborted);
    expect(isAborted).toBe(true);
  });

  it.each([
    ['ended', () => 'done'],
    ['failed', () => Promise.reject(new Error('failed'))],
  ])('with work that has %s, leaves no listener', async (_, work) => {
    const { signal } = new AbortController();
    await withAnySignal<unknown>([signal, AbortSignal.timeout(60_000)], work).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
