import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { emitLiveEvent, useLiveEvents } from './live-events';

it('useLiveEvents, while mounted, calls the listener for the requested names only', () => {
  const listener = vi.fn();
  const { unmount } = renderHook(() => useLiveEvents(['motion', 'visit_started'], listener));
  const started = { name: 'visit_started', data: { visit_id: 1 } } as const;
  emitLiveEvent({ name: 'job', data: {} });
  emitLiveEvent(started);
  unmount();
  emitLiveEvent({ name: 'motion', data: {} });
  expect(listener).toHaveBeenCalledExactlyOnceWith(started);
});
