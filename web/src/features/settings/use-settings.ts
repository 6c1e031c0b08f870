import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { hub, unwrap } from '../../api/client';
import { unlockRequests } from '../session/unlock';
import { type Draft, type SettingsTree, toPatch } from './setting-values';

/** All settings; asks for the admin password where there is one. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: async ({ signal }) =>
    (await unwrap(hub.GET('/api/ui/settings', { signal }))) as unknown as SettingsTree,
});

/** Who sets the admin password knows it, and need not be asked for it. */
async function unlockWith(password: unknown): Promise<void> {
  if (typeof password !== 'string' || password === '') return;
  const unlocking = unwrap(hub.POST('/api/ui/settings/verify-password', { body: { password } }));
  const isUnlocked = await unlocking.then(
    () => true,
    // The settings are stored: the next call asks for the password.
    () => false,
  );
  // A call in between may have asked already.
  if (isUnlocked) unlockRequests.current()?.settle(true);
}

/** What the hub has after a change. */
interface ChangedSettings {
  readonly settings: SettingsTree;
  /** Names of the secrets that the hub cleared because their address is another one. */
  readonly clearedSecrets: readonly string[];
}

/** Stores changes and shows what the hub then has. */
export function useChangeSettings(settings: SettingsTree) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (changes: Draft): Promise<ChangedSettings> => {
      const answer = await unwrap(hub.PATCH('/api/ui/settings', { body: toPatch(settings, changes) }));
      const { cleared_secrets: clearedSecrets = [], ...changed } = answer;
      return { settings: changed as unknown as SettingsTree, clearedSecrets };
    },
    onSuccess: async (changed, changes) => {
      client.setQueryData(settingsQuery.queryKey, changed.settings);
      await unlockWith(changes['general.settings_password']);
      // Days, thresholds and passwords reach everywhere.
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'settings' });
    },
  });
}
