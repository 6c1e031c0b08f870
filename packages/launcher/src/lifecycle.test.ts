import { describe, expect, it } from 'vitest';
import { LauncherError } from './launcher-error.js';
import { waitReady } from './lifecycle.js';

describe('waitReady', () => {
  const never = { what: 'The service query', isReady: async () => false };

  it('a service that keeps crashing, is reported with its last output without a stack', async () => {
    const waiting = waitReady({ ...never, timeoutMs: 60_000, findFailure: () => 'PORT must be a number' });
    await expect(waiting).rejects.toThrow(
      new LauncherError('The service query did not start: PORT must be a number'),
    );
  });

  it('a service that does not start in time, is reported without a stack', async () => {
    const waiting = waitReady({ ...never, timeoutMs: 0 });
    await expect(waiting).rejects.toThrow(new LauncherError('The service query was not ready after 0 s.'));
  });
});
