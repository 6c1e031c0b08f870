import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { requestUnlock, unlockRequests } from '../../api/unlock';
import { renderPart } from '../../testing/render-part';
import type { Recording } from './recording-queries';
import { Spectrogram } from './spectrogram';
import { useStream } from './stage';
import recording from './texts/en.json';
import type { Player } from './use-player';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function unlock(): void {
  void requestUnlock('contributor');
  act(() => unlockRequests.current()?.settle(true));
}

describe('a locked recording, once the hub is unlocked elsewhere on the page', () => {
  it('plays', async () => {
    vi.stubGlobal('fetch', async () =>
      Response.json({ code: 'unlock_required', error: 'Unlock the hub first.' }, { status: 403 }),
    );
    const { result } = renderHook(() =>
      useStream({ media: 'ready', video_url: '/data/videos/1.mp4' } as Recording),
    );
    act(() => result.current.onError());
    await waitFor(() => expect(result.current.state).toBe('locked'));
    unlock();
    expect(result.current.state).toBe('playable');
  });

  it('shows its spectrogram', async () => {
    const playhead = { time: () => 0, subscribe: () => () => undefined };
    await renderPart(
      <Spectrogram
        player={{ seconds: 10, playhead } as unknown as Player}
        url="/data/spectrograms/1.png"
        kilohertz={null}
        detections={[]}
      />,
      { recording },
    );
    fireEvent.error(screen.getByRole('img'));
    expect(screen.queryByRole('img')).toBeNull();
    unlock();
    screen.getByRole('img');
  });
});
