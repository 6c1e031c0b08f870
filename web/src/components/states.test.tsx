import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '../api/problem';
import { renderPart } from '../testing/render-part';
import { Failure, PageLoading } from './states';
import components from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function show(problem: Problem) {
  const onRetry = vi.fn();
  await renderPart(<Failure error={problem} onRetry={onRetry} />, { components });
  return onRetry;
}

async function pass(seconds: number) {
  for (let second = 0; second < seconds; second += 1) await act(async () => vi.advanceTimersByTime(1_000));
}

describe('Failure', () => {
  it('after the time of Retry-After, retries once', async () => {
    vi.useFakeTimers();
    const onRetry = await show(new Problem(503, { code: 'starting' }, 3));
    await pass(2);
    screen.getByText('(1)', { exact: false });
    expect(onRetry).not.toHaveBeenCalled();
    await pass(5);
    expect(onRetry).toHaveBeenCalledTimes(1);
  });

  it('for a request that is wrong, waits for the button', async () => {
    vi.useFakeTimers();
    const onRetry = await show(new Problem(400, { code: 'invalid_request', error: 'wrong' }));
    await pass(30);
    expect(onRetry).not.toHaveBeenCalled();
  });
});

describe('PageLoading', () => {
  it('with texts, has a name in words', async () => {
    await renderPart(<PageLoading />, { components });
    screen.getByRole('status', { name: components.loading });
  });

  it('before the texts are loaded, is shown without waiting for them', async () => {
    await renderPart(<PageLoading />, {});
    screen.getByRole('status', { name: '…' });
  });
});
