import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { HubError } from '@birdhub/shared/errors';
import type { ChannelStore } from './channels.store.js';

/** Dependencies of the migration of older settings. */
export interface LegacySettingsDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'forget'>;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
  readonly store: Pick<ChannelStore, 'storeMigrated' | 'findMigrated'>;
}

/**
 * Migrates the former settings of a webhook and a Telegram bot to channels and clears them, also when an older client
 * sets them again later. Does nothing without such settings.
 */
export async function migrateSettings(deps: LegacySettingsDeps): Promise<void> {
  const { settings, settingsWriter, store } = deps;
  if (!hasOlder(await settings.current())) return;
  const { version } = await settingsWriter.read();
  settings.forget();
  const current = await settings.current();
  const cleared: Record<string, Record<string, null>> = {};
  const { webhook, notifications } = current;
  const { telegram_bot_token: token, telegram_chat_id: chat } = notifications;
  const before = await store.findMigrated('webhook');
  if (webhook.url || (webhook.secret && before)) {
    const url = webhook.url || String(before?.options['url'] ?? '');
    await store.storeMigrated('webhook', {
      name: 'Webhook',
      enabled: true,
      options: { url },
      secrets: webhook.secret ? { secret: webhook.secret } : {},
    });
    cleared['webhook'] = { url: null, secret: null };
  }
  const bot = await store.findMigrated('telegram');
  if ((token && chat) || (bot && (token || chat))) {
    await store.storeMigrated('telegram', {
      name: 'Telegram',
      enabled: true,
      options: { silent: false, picture: true, clip: true, ...bot?.options, ...(chat && { chat_id: chat }) },
      secrets: { ...bot?.secrets, ...(token && { bot_token: token }) },
    });
    cleared['notifications'] = { telegram_bot_token: null, telegram_chat_id: null };
  }
  if (!Object.keys(cleared).length) return;
  try {
    await settingsWriter.change(cleared, { role: 'hub', ifVersions: [version] });
  } catch (error) {
    // Settings that were changed concurrently are migrated by the next call.
    if (!(error instanceof HubError) || error.code !== 'conflict') throw error;
  }
  settings.forget();
}

function hasOlder({ webhook, notifications }: Settings): boolean {
  const { telegram_bot_token: token, telegram_chat_id: chat } = notifications;
  return Boolean(webhook.url || webhook.secret || token || chat);
}
