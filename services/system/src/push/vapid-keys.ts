import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { HubError } from '@birdhub/shared/errors';

/** The keys by which push services know the hub again (RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** What the keys are kept in. */
export interface VapidParts {
  readonly settings: Pick<SettingsReader, 'current' | 'forget'>;
  readonly settingsWriter: Pick<SettingsWriter, 'read' | 'change'>;
}

function keysOf({ web_push }: Settings): VapidKeys | undefined {
  const { vapid_public_key: publicKey, vapid_private_key: privateKey } = web_push;
  return publicKey && privateKey ? { publicKey, privateKey } : undefined;
}

/** Only of settings that nobody has changed since they were read: of two processes at once, one makes the keys. */
async function makeKeys({ settings, settingsWriter }: VapidParts): Promise<VapidKeys> {
  const { version } = await settingsWriter.read();
  settings.forget();
  const made = keysOf(await settings.current());
  if (made) return made;
  const { generateVAPIDKeys } = (await import('web-push')).default;
  const keys = generateVAPIDKeys();
  const web_push = { vapid_public_key: keys.publicKey, vapid_private_key: keys.privateKey };
  await settingsWriter.change({ web_push }, { role: 'hub', ifVersions: [version] });
  settings.forget();
  return keys;
}

/** The keys of the settings; made when they are needed first and kept, as every subscription is bound to them. */
export async function readVapidKeys(parts: VapidParts): Promise<VapidKeys> {
  const kept = keysOf(await parts.settings.current());
  if (kept) return kept;
  try {
    return await makeKeys(parts);
  } catch (error) {
    if (!(error instanceof HubError) || error.code !== 'conflict') throw error;
    return readVapidKeys(parts);
  }
}
