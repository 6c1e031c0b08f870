import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { hub, unwrap } from '../../api/client';
import type { components } from '../../api/schema';
import type { NewSource, SourceChange, SourceTest } from './source-form';

/** A source with what came of it. */
export type SourceDetail = components['schemas']['SourceDetail'];

/** The outcome of a test of a connection. */
export type TestResult = components['schemas']['SourceTestResult'];

/** No event tells how a source is doing. */
const pollMs = 5_000;

/** All sources, by name. */
export const sourcesQuery = queryOptions({
  queryKey: ['sources'],
  queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sources', { signal })),
  // Not after an error, else it would ask for the password again and again.
  refetchInterval: ({ state }) => (state.status === 'error' ? false : pollMs),
});

/** A source with what it brought and what was left out. */
export const sourceQuery = (id: number) =>
  queryOptions({
    queryKey: ['sources', id],
    queryFn: ({ signal }) => unwrap(hub.GET('/api/ui/sources/{id}', { params: { path: { id } }, signal })),
  });

/** Tests a connection; `cancel` gives up on a test that runs. */
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

/** Reads the list again, whatever became of a change. */
function useReadAgain() {
  const client = useQueryClient();
  return () =>
    Promise.all(['sources', 'status', 'jobs'].map((key) => client.invalidateQueries({ queryKey: [key] })));
}

export function useCreateSource() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: (body: NewSource) => unwrap(hub.POST('/api/ui/sources', { body })),
    onSuccess: readAgain,
  });
}

export function useUpdateSource() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ id, change }: { readonly id: number; readonly change: SourceChange }) =>
      unwrap(hub.PATCH('/api/ui/sources/{id}', { params: { path: { id } }, body: change })),
    onSettled: readAgain,
  });
}

export function useRemoveSource() {
  const readAgain = useReadAgain();
  return useMutation({
    mutationFn: ({ id, data }: { readonly id: number; readonly data: 'keep' | 'remove' }) =>
      unwrap(hub.DELETE('/api/ui/sources/{id}', { params: { path: { id }, query: { data } } })),
    // Another browser may have removed it.
    onSettled: readAgain,
  });
}
