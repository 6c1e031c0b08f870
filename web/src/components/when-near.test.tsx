import { act, cleanup, render, screen } from '@testing-library/react';
import { type ReactNode, Suspense } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { lazyComponent } from './lazy-part';
import { WhenNear } from './when-near';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('WhenNear', () => {
  it('content whose script is loading, keeps the reserved height', async () => {
    vi.useFakeTimers();
    let finish: (part: () => ReactNode) => void = () => undefined;
    const load = vi.fn(() => new Promise<() => ReactNode>((resolve) => (finish = resolve)));
    const Part = lazyComponent(load);
    const { container } = render(
      <Suspense>
        <WhenNear height="20rem">
          <Part />
        </WhenNear>
      </Suspense>,
    );
    const heights = () =>
      [...container.querySelectorAll('div')]
        .filter((box) => box.style.display !== 'none')
        .map((box) => box.style.height);
    expect(heights()).toEqual(['20rem']);
    await act(() => vi.runAllTimersAsync());
    expect(load).toHaveBeenCalledTimes(1);
    expect(heights()).toEqual(['20rem']);
    await act(async () => finish(() => <p>part</p>));
    screen.getByText('part');
    expect(heights()).toEqual([]);
  });
});
