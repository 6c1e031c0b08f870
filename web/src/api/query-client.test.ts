import { focusManager, MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from './problem';
import { queryClient } from './query-client';

afterEach(() => {
  onlineManager.setOnline(true);
  queryClient.clear();
});

const fail = async () => {
  throw new Problem(0, {});
};

describe('queryClient without a network', () => {
  it('changes, fail at once and are not sent later', async () => {
    onlineManager.setOnline(false);
    let sent = 0;
    const change = new MutationObserver(queryClient, {
      mutationFn: () => {
        sent += 1;
        return fail();
      },
    });
    await expect(change.mutate()).rejects.toThrow(Problem);
    onlineManager.setOnline(true);
    await queryClient.resumePausedMutations();
    expect(sent).toBe(1);
  });

  it('queries, fail instead of waiting', async () => {
    onlineManager.setOnline(false);
    const query = queryClient.fetchQuery({ queryKey: ['offline'], queryFn: fail, retry: false });
    await expect(query).rejects.toThrow(Problem);
  });

  it('queries, are repeated when back online', async () => {
    queryClient.mount();
    onlineManager.setOnline(false);
    let answer: () => Promise<string> = fail;
    const query = new QueryObserver(queryClient, {
      queryKey: ['reconnect'],
      queryFn: () => answer(),
      retry: false,
    });
    const unsubscribe = query.subscribe(() => undefined);
    await vi.waitFor(() => expect(query.getCurrentResult().status).toBe('error'));
    answer = async () => 'loaded';
    onlineManager.setOnline(true);
    await vi.waitFor(() => expect(query.getCurrentResult().data).toBe('loaded'));
    unsubscribe();
    queryClient.unmount();
  });

  it('queries that need a password, are not repeated by themselves', async () => {
    queryClient.mount();
    onlineManager.setOnline(false);
    const calls: number[] = [];
    const observe = (status: number) =>
      new QueryObserver(queryClient, {
        queryKey: ['failing', status],
        queryFn: () => {
          calls.push(status);
          return Promise.reject(new Problem(status, {}));
        },
      }).subscribe(() => undefined);
    const stops = [observe(403), observe(404)];
    await vi.waitFor(() => expect([calls.length, queryClient.isFetching()]).toEqual([2, 0]));
    onlineManager.setOnline(true);
    await vi.waitFor(() => expect([calls.length, queryClient.isFetching()]).toEqual([3, 0]));
    focusManager.setFocused(false);
    focusManager.setFocused(true);
    await vi.waitFor(() => expect(calls.length).toBe(4));
    expect(calls).toEqual([403, 404, 404, 404]);
    for (const stop of stops) stop();
    queryClient.unmount();
    focusManager.setFocused(undefined);
  });
});
