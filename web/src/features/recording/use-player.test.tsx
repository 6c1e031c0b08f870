import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { usePlayer } from './use-player';

afterEach(cleanup);

describe('usePlayer', () => {
  it('a new element after a failure, continues at the second of the previous one', () => {
    const { result } = renderHook(() => usePlayer(60));
    const [first, second] = [document.createElement('video'), document.createElement('video')];
    const detach = result.current.mediaProps.ref(first);
    act(() => result.current.seek(42));
    detach?.();
    const stop = result.current.mediaProps.ref(second);
    expect([second.currentTime, result.current.playhead.time()]).toEqual([42, 42]);
    stop?.();
  });
});
