import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { unlockWith } from '../session/access';
import { type Draft, type SettingsTree, toPatch } from './setting-values';

/** All settings; needs the admin password if one is set. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) =>
    (await unwrap(hub.GET('/api/ui/settings', { signal }))) as unknown as SettingsTree,
});

/** Settings after a change. */
interface ChangedSettings {
  readonly settings: SettingsTree;
  /** Secrets that the hub cleared because their URL changed. */
  readonly clearedSecrets: readonly string[];
  /** Access tokens that the hub revoked because they were created without a password. */
  readonly revokedTokens: readonly string[];
}

interface SettingsChange {
  readonly changes: Draft;
  /** The values that were edited. */
  readonly before: Draft;
}

/** Stores changes and updates the cache. */
export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ before, changes }: SettingsChange): Promise<ChangedSettings> => {
      const response = await unwrap(hub.PATCH('/api/ui/settings', { body: toPatch(before, changes) }));
      const {
        cleared_secrets: clearedSecrets = [],
        revoked_tokens: revokedTokens = [],
        ...changed
      } = response;
      return { settings: changed as unknown as SettingsTree, clearedSecrets, revokedTokens };
    },
    onSuccess: async (changed, { changes }) => {
      client.setQueryData(settingsQuery.queryKey, changed.settings);
      const password = changes['general.settings_password'];
      if (typeof password === 'string' && password !== '') await unlockWith(password);
      // Time zone, thresholds and passwords affect all data.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
  });
}
