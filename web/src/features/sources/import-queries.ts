import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { hub, unwrap } from '../../api/client';
import { Problem, problemText } from '../../api/problem';
import type { components, paths } from '../../api/schema';
import { sourcesQuery } from './sources-queries';

/** An import of the history of a source. */
export type ImportJob = components['schemas']['Job'];

type ImportBody = paths['/api/ui/sources/{id}/import']['post']['requestBody']['content']['application/json'];

const runningMs = 1_500;
const idleMs = 30_000;
/** Maximum page size of the hub. */
const maxJobs = 100;

/** Whether an import has not finished. */
export const isUnfinished = ({ state }: ImportJob): boolean => state === 'running' || state === 'paused';

/** Imports of all sources, newest first. */
export const importsQuery = queryOptions({
  queryKey: ['jobs', 'imports'],
  queryFn: async ({ signal }) => {
    const query = { kind: 'import', limit: maxJobs } as const;
    return (await unwrap(hub.GET('/api/ui/system/jobs', { params: { query }, signal }))).jobs;
  },
  refetchInterval: ({ state }) => {
    if (state.status === 'error') return false;
    return state.data?.some((job) => job.state === 'running') ? runningMs : idleMs;
  },
});

/** Returns a function that refetches the imports. */
function useRefetchImports() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['jobs'] });
}

export function useStartImport() {
  const refetchImports = useRefetchImports();
  return useMutation({
    mutationFn: ({ id, body }: { readonly id: number; readonly body: ImportBody }) =>
      unwrap(hub.POST('/api/ui/sources/{id}/import', { params: { path: { id } }, body })),
    onSettled: refetchImports,
  });
}

const actions = {
  pause: '/api/ui/system/jobs/{id}/pause',
  resume: '/api/ui/system/jobs/{id}/resume',
  cancel: '/api/ui/system/jobs/{id}/cancel',
} as const;

/** Actions on an unfinished import. */
export type ImportAction = keyof typeof actions;

export function useChangeImport() {
  const refetchImports = useRefetchImports();
  return useMutation({
    mutationFn: ({ id, action }: { readonly id: number; readonly action: ImportAction }) =>
      unwrap(hub.POST(actions[action], { params: { path: { id } } })),
    onSettled: refetchImports,
  });
}

/** Returns a function that explains why an import cannot start or resume, usually because another one is running. */
export function useImportProblem(): (error: Error) => string {
  const { t } = useTranslation('sources');
  const { data: sources } = useQuery(sourcesQuery);
  const { data: imports } = useQuery(importsQuery);
  return (error) => {
    if (!(error instanceof Problem && error.code === 'job_running')) return problemText(t, error);
    const running = imports?.find(({ state }) => state === 'running')?.parameters.source_id;
    const name = sources?.find(({ id }) => id === running)?.name;
    return name === undefined ? t('import_other_runs') : t('import_of_runs', { name });
  };
}
