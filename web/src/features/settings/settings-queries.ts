import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { unlockRequests } from '../../api/unlock';
import { type Draft, type SettingsTree, toPatch } from './setting-values';

/** All settings; needs the admin password if one is set. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) =>
    (await unwrap(hub.GET('/api/ui/settings', { signal }))) as unknown as SettingsTree,
});

/** Unlocks with the admin password that was just set. */
async function unlockWith(password: unknown): Promise<void> {
  if (typeof password !== 'string' || password === '') return;
  const unlocking = unwrap(hub.POST('/api/ui/settings/verify-password', { body: { password } }));
  const isUnlocked = await unlocking.then(
    () => true,
    // The settings are stored; the next call asks for the password.
    () => false,
  );
  // Another call may already be waiting for it.
  if (isUnlocked) unlockRequests.current()?.settle(true);
}

/** Settings after a change. */
interface ChangedSettings {
  readonly settings: SettingsTree;
  /** Secrets that the hub cleared because their URL changed. */
  readonly clearedSecrets: readonly string[];
  /** Access tokens that the hub revoked because they were created without a password. */
  readonly revokedTokens: readonly string[];
}

/** Stores changes and updates the cache. */
export function useChangeSettings(settings: SettingsTree) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: Draft): Promise<ChangedSettings> => {
      const response = await unwrap(hub.PATCH('/api/ui/settings', { body: toPatch(settings, changes) }));
      const {
        cleared_secrets: clearedSecrets = [],
        revoked_tokens: revokedTokens = [],
        ...changed
      } = response;
      return { settings: changed as unknown as SettingsTree, clearedSecrets, revokedTokens };
    },
    onSuccess: async (changed, changes) => {
      client.setQueryData(settingsQuery.queryKey, changed.settings);
      await unlockWith(changes['general.settings_password']);
      // Time zone, thresholds and passwords affect all data.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
  });
}
