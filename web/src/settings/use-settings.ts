import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { answerOf, hub } from '../api/client';
import { type Draft, type SettingsTree, toPatch } from './setting-values';

/** All settings; asks for the admin password where there is one. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) =>
    (await answerOf(hub.GET('/api/ui/settings', { signal }))) as unknown as SettingsTree,
});

/** Stores changes and shows what the hub then has. */
export function useChangeSettings(settings: SettingsTree) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: Draft) =>
      (await answerOf(
        hub.PATCH('/api/ui/settings', { body: toPatch(settings, changes) }),
      )) as unknown as SettingsTree,
    onSuccess: async (changed) => {
      client.setQueryData(settingsQuery.queryKey, changed);
      // Days, thresholds and passwords reach everywhere.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
  });
}
