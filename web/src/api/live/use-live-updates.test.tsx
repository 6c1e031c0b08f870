import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, render, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { Problem } from '../problem';
import { useLiveUpdates } from './use-live-updates';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('useLiveUpdates, when connected, repeats failed queries of this page, but none that needs a password', async () => {
  const source = new EventTarget();
  vi.stubGlobal('EventSource', function EventSource() {
    return Object.assign(source, { close: () => undefined });
  });
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
