import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { stubHub } from '../../testing/render-part';
import { Problem } from '../problem';
import { useLiveUpdates } from './use-live-updates';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Replaces the event stream by a target for its events. */
function stubStream(): EventTarget {
  const source = new EventTarget();
  vi.stubGlobal('EventSource', function EventSource() {
    return Object.assign(source, { close: () => undefined });
  });
  return source;
}

it('useLiveUpdates, when connected, repeats failed queries of this page, but none that needs a password', async () => {
  const source = stubStream();
  const calls: string[] = [];
  const failing = (name: string, status: number) => ({
    queryKey: [name],
    retry: false,
    queryFn: async () => {
      calls.push(name);
      throw new Problem(status, {});
    },
  });
  function Part() {
    useLiveUpdates();
    useQuery(failing('failed', 500));
    useQuery(failing('locked', 403));
    return null;
  }
  const client = new QueryClient();
  await client.prefetchQuery(failing('left', 500));
  render(
    <QueryClientProvider client={client}>
      <Part />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(calls.sort()).toEqual(['failed', 'left', 'locked']);
  act(() => void source.dispatchEvent(new Event('open')));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(calls.slice(3)).toEqual(['failed']);
  act(() => void source.dispatchEvent(new MessageEvent('reset', { data: '{}' })));
  await waitFor(() => expect(calls.slice(4)).toEqual(['failed']));
});

it.each([
  ['the hub does not respond', 500, false],
  ['only the stream is refused', 200, true],
])('useLiveUpdates, while %s, tells whether the hub can be reached', async (_, status, expected) => {
  vi.useFakeTimers();
  const source = stubStream();
  stubHub({ 'GET /api/ui/status': () => ({ status, body: {} }) });
  const { result } = renderHook(useLiveUpdates, {
    wrapper: ({ children }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  });
  expect(result.current).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(21_000));
  expect(result.current).toBe(expected);
  act(() => void source.dispatchEvent(new Event('open')));
  expect(result.current).toBe(true);
});
