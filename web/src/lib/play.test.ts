import { describe, expect, it, vi } from 'vitest';
import { playOr } from './play';

describe('playOr', () => {
  it.each([
    { name: 'AbortError', calls: 0 },
    { name: 'NotAllowedError', calls: 1 },
    { name: 'NotSupportedError', calls: 1 },
  ])('rejected with $name, reports $calls refusals', async ({ name, calls }) => {
    const onRefused = vi.fn();
    await playOr({ play: () => Promise.reject(new DOMException('', name)) }, onRefused);
    expect(onRefused).toHaveBeenCalledTimes(calls);
  });
});
