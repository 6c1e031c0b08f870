import { describe, expect, test } from 'vitest';
import { pauseUnlessAborted } from './pause.js';

describe('pauseUnlessAborted', () => {
  test('without an abort, resolves after the time', async () => {
    await expect(pauseUnlessAborted(1, new AbortController().signal)).resolves.toBeUndefined();
  });

  test('when the signal fires, resolves early', async () => {
    const stopping = new AbortController();
    const paused = pauseUnlessAborted(2_147_483_647, stopping.signal);
    stopping.abort();
    await expect(paused).resolves.toBeUndefined();
  });

  test('with a signal that has fired, resolves at once', async () => {
    await expect(pauseUnlessAborted(2_147_483_647, AbortSignal.abort())).resolves.toBeUndefined();
  });
});
