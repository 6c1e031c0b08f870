import { notificationsStore } from '@mantine/notifications';
import { act, cleanup, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart, stubHub } from '../../testing/render-part';
import { undoMs } from './pending-deletions';
import { useDeleteRecording, useFavorite } from './recording-mutations';
import type { Recording } from './recording-queries';
import texts from './texts/en.json';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const recording = { id: 7, start_time: '2026-05-04T08:00:00Z' } as Recording;

/** Calls a hook in a page; returns its last result. */
async function renderInPage<Result>(useHook: () => Result) {
  const result = {} as { current: Result };
  function Part() {
    result.current = useHook();
    return null;
  }
  const { queryClient } = await renderPart(<Part />, { recording: texts });
  return { result, queryClient };
}

async function renderDeletion() {
  const { calls } = stubHub({
    'GET /api/ui/settings/check-access': () => ({ body: { unlocked: true, role: 'admin' } }),
    'GET /api/ui/videos/7/neighbors': () => ({ body: { next_id: null, previous_id: null } }),
    'DELETE /api/ui/videos/7': () => ({ body: {} }),
  });
  const { result } = await renderInPage(() => useDeleteRecording(recording));
  return { calls, result };
}

const notices = () => notificationsStore.getState().notifications;

describe('useDeleteRecording', () => {
  it('when the deletion is sent, hides the notice, and a later undo says that it is too late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { calls, result } = await renderDeletion();
    await act(() => result.current.remove());
    expect(notices()).toEqual([expect.objectContaining({ autoClose: false })]);
    act(() => void vi.advanceTimersByTime(undoMs));
    expect(notices()).toEqual([]);
    vi.useRealTimers();
    await waitFor(() => expect(calls.map(([call]) => call)).toContain('DELETE /api/ui/videos/7'));
    act(() => result.current.undo());
    expect(notices()).toEqual([expect.objectContaining({ message: texts.undo_too_late })]);
  });

  it('pressed twice and undone elsewhere, shows one notice and hides it', async () => {
    const { result } = await renderDeletion();
    await act(() => Promise.all([result.current.remove(), result.current.remove()]));
    expect(notices()).toHaveLength(1);
    act(() => result.current.undo());
    expect(notices()).toEqual([]);
  });

  it('while the hub does not respond, says so and deletes nothing', async () => {
    const { result } = await renderDeletion();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    await act(() => result.current.remove());
    expect(notices()).toEqual([expect.objectContaining({ color: 'red' })]);
    expect(result.current.isDeleted).toBe(false);
  });
});

it('useFavorite, when a recording becomes a favourite, marks timeline and highlights as stale', async () => {
  stubHub({ 'PATCH /api/ui/videos/7': () => ({ body: {} }) });
  const keys = [['timeline'], ['highlights', 'day']];
  const { result, queryClient } = await renderInPage(() => useFavorite({ ...recording, favorite: false }));
  for (const key of keys) queryClient.setQueryData(key, []);
  act(() => result.current());
  await waitFor(() =>
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true]),
  );
});
