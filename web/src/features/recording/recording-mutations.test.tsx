import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../api/query-client';
import { stubHub } from '../../testing/render-part';
import { undoMs } from './pending-deletions';
import { useDeleteRecording, useFavorite } from './recording-mutations';
import type { Recording } from './recording-queries';

const { show, hide } = vi.hoisted(() => ({ show: vi.fn((_: object) => 'notice'), hide: vi.fn() }));
vi.mock('@mantine/notifications', () => ({
  notifications: { show, hide },
  cleanNotifications: () => undefined,
}));
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => async () => undefined }));
vi.mock('react-i18next', async (original) => ({
  ...(await original<object>()),
  getI18n: () => ({ t: (key: string) => key }),
  useTranslation: () => ({ t: (key: string) => key, i18n: { language: 'en', resolvedLanguage: 'en' } }),
}));
vi.mock('../../lib/format', () => ({ useTimeFormat: () => ({ dayOf: () => '2026-05-04' }) }));
vi.mock('../../i18n/species-names', () => ({ useSpeciesName: () => (name: string) => name }));

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
);

function render() {
  const { calls } = stubHub({
    'GET /api/ui/settings/check-access': () => ({ body: { unlocked: true, role: 'admin' } }),
    'GET /api/ui/videos/7/neighbors': () => ({ body: { next_id: null, previous_id: null } }),
    'DELETE /api/ui/videos/7': () => ({ body: {} }),
  });
  const { result } = renderHook(() => useDeleteRecording(recording), { wrapper });
  return { calls, result };
}

const recording = { id: 7, start_time: '2026-05-04T08:00:00Z' } as Recording;

describe('useDeleteRecording', () => {
  it('when the deletion is sent, hides the notice, and a later undo says that it is too late', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { calls, result } = render();
    await act(() => result.current.remove());
    expect(show).toHaveBeenCalledWith(expect.objectContaining({ autoClose: false }));
    expect(hide).not.toHaveBeenCalled();
    act(() => void vi.advanceTimersByTime(undoMs));
    expect(hide).toHaveBeenCalledWith('notice');
    vi.useRealTimers();
    await waitFor(() => expect(calls.map(([call]) => call)).toContain('DELETE /api/ui/videos/7'));
    act(() => result.current.undo());
    expect(show).toHaveBeenLastCalledWith(expect.objectContaining({ message: 'undo_too_late' }));
  });

  it('pressed twice and undone elsewhere, shows one notice and hides it', async () => {
    show.mockClear();
    hide.mockClear();
    const { result } = render();
    await act(() => Promise.all([result.current.remove(), result.current.remove()]));
    expect(show).toHaveBeenCalledOnce();
    act(() => result.current.undo());
    expect(hide).toHaveBeenCalledWith('notice');
  });

  it('while the hub does not respond, says so and deletes nothing', async () => {
    show.mockClear();
    const { result } = render();
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')));
    await act(() => result.current.remove());
    expect(show).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ color: 'red' }));
    expect(result.current.isDeleted).toBe(false);
  });
});

it('useFavorite, when a recording becomes a favourite, marks timeline and highlights as stale', async () => {
  stubHub({ 'PATCH /api/ui/videos/7': () => ({ body: {} }) });
  const keys = [['timeline'], ['highlights', 'day']];
  for (const key of keys) queryClient.setQueryData(key, []);
  const { result } = renderHook(() => useFavorite({ ...recording, favorite: false }), { wrapper });
  act(() => result.current());
  await waitFor(() =>
    expect(keys.map((key) => queryClient.getQueryState(key)?.isInvalidated)).toEqual([true, true]),
  );
  queryClient.clear();
});
