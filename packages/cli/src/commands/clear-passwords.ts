import { createSettingsWriter } from '@birdhub/domain/settings';
import { openSecretBox, type SecretsConfig } from '@birdhub/shared/secrets';
import { endSessionsOf } from '@birdhub/shared/sessions';
import { withSettings } from './with-settings.js';

const clear = { general: { settings_password: null, contributor_password: null } };

/** Removes the passwords and sessions from a hub's database and tells the running services, if any. */
export async function clearPasswords(databaseUrl: string, config: SecretsConfig): Promise<void> {
  await withSettings(databaseUrl, async (database, bell) => {
    const secrets = openSecretBox(config);
    await createSettingsWriter({ database, bell, secrets, timezone: 'UTC' }).change(clear, { role: 'host' });
    // Also those of a password that was cleared before in another way.
    await endSessionsOf(database.prisma, 'admin');
    await endSessionsOf(database.prisma, 'contributor');
  });
}
