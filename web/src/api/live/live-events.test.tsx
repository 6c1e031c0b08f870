import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { emitLiveEvent, useLiveEvents } from './live-events';

it('a listener, hears of the names it asked for while it is there', () => {
  const heard = vi.fn();
  const { unmount } = renderHook(() => useLiveEvents(['motion', 'visit_started'], heard));
  const started = { name: 'visit_started', data: { visit_id: 1 } } as const;
  emitLiveEvent({ name: 'job', data: {} });
  emitLiveEvent(started);
  unmount();
  emitLiveEvent({ name: 'motion', data: {} });
  expect(heard).toHaveBeenCalledExactlyOnceWith(started);
});
