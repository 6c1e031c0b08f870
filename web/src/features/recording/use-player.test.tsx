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

  it('a new element after a failure, is as quiet and as fast as the previous one, and not playing', () => {
    const { result } = renderHook(() => usePlayer(60));
    const [first, second] = [document.createElement('video'), document.createElement('video')];
    const detach = result.current.mediaProps.ref(first);
    act(() => {
      result.current.mediaProps.onPlay();
      result.current.mute(true);
      result.current.setRate(0.5);
    });
    act(() => detach?.());
    const stop = result.current.mediaProps.ref(second);
    // Loading a file resets the rate to the default one.
    expect([second.muted, second.defaultPlaybackRate, second.playbackRate]).toEqual([true, 0.5, 0.5]);
    expect(result.current.isPlaying).toBe(false);
    stop?.();
  });
});
