import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { NewSource, SourceChange, SourceTest } from './source-form';

/** A source with its statistics. */
export type SourceDetail = components['schemas']['SourceDetail'];

/** Result of a connection test. */
export type TestResult = components['schemas']['SourceTestResult'];

/** There is no live event for the state of a source. */
const pollMs = 5_000;

/** All sources, by name. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sources', { signal })),
  // Not after an error, as each attempt could ask for the password.
  refetchInterval: ({ state }) => (state.status === 'error' ? false : pollMs),
});

/** A source with statistics of imported and dropped events. */
export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['sources', id],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sources/{id}', { params: { path: { id } }, signal })),
  });

/** Tests a connection; `cancel` aborts a running test. */
export function useTestSource() {
  const controller = useRef<AbortController>(undefined);
  const test = useMutation({
    mutationFn: (body: SourceTest) => {
      controller.current?.abort();
      controller.current = new AbortController();
      return unwrap(hub.POST('/api/ui/sources/test', { body, signal: controller.current.signal }));
    },
  });
  const cancel = () => {
    controller.current?.abort();
    test.reset();
  };
  return { ...test, cancel };
}

/** Returns a function that refetches the list. */
function useRefetchSources() {
  const client = useQueryClient();
  return () =>
    Promise.all(['sources', 'status', 'jobs'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

export function useCreateSource() {
  const refetchSources = useRefetchSources();
  return useMutation({
    mutationFn: (body: NewSource) => unwrap(hub.POST('/api/ui/sources', { body })),
    onSuccess: refetchSources,
  });
}

export function useUpdateSource() {
  const refetchSources = useRefetchSources();
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: number; readonly change: SourceChange }) =>
      unwrap(hub.PATCH('/api/ui/sources/{id}', { params: { path: { id } }, body: change })),
    onSettled: refetchSources,
  });
}

export function useRemoveSource() {
  const refetchSources = useRefetchSources();
  return useMutation({
    mutationFn: ({ id, data }: { readonly id: number; readonly data: 'keep' | 'remove' }) =>
      unwrap(hub.DELETE('/api/ui/sources/{id}', { params: { path: { id }, query: { data } } })),
    // Another browser may have removed it.
    onSettled: refetchSources,
  });
}
