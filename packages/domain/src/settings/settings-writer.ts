import { isDeepStrictEqual } from 'node:util';
import type { ChangeNotifier, Database, PrismaClient, Transaction } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type { SecretBox } from '@birdhub/shared/secrets';
import { endSessionsOf, passwordKeys } from '@birdhub/shared/sessions';
import { checkSettings } from './check-settings.js';
import { mergeSettings } from './merge-settings.js';
import { isSameSealed, sealGiven, sealStored } from './sealed-settings.js';
import { clearSecrets, findStraySecrets } from './secret-addresses.js';
import { maskSecrets } from './secret-places.js';
import { lockSettings, noteChange, readSettings, writeSettings } from './settings.store.js';
import type { Settings } from './settings-schema.js';
import { changedKeys, type StoredSettings, withoutAddedDefaults } from './stored-settings.js';
import { layOverDefaults, withDefaults } from './with-defaults.js';

/** The settings as people see them: whole, and secrets only as `***` when they are set. */
export interface ShownSettings {
  readonly version: number;
  readonly settings: Settings;
}

/** Settings after a change. */
export interface ChangedSettings extends ShownSettings {
  /** Dotted names of what changed; none when all was so before. */
  readonly keys: readonly string[];
  /** Dotted names of the secrets that were cleared because their address has changed and they were not sent again. */
  readonly clearedSecrets: readonly string[];
  /** The ring by which a reader knows the change; none when nothing changed. */
  readonly token: string | undefined;
}

/** Who changes settings, and of which version when that matters. */
export interface SettingsChange {
  readonly role: string;
  readonly requestId?: string;
  /** Versions of which the settings must still be one. */
  readonly ifVersions?: readonly number[] | undefined;
}

/** The one module that changes settings. */
export interface SettingsWriter {
  read(): Promise<ShownSettings>;
  /**
   * Merges a change into the settings as they are at that moment; see {@link mergeSettings}. A secret whose address
   * changes is cleared unless it is sent again.
   * @throws HubError invalid_request naming each setting that is wrong, conflict when the version is another one,
   * payload_too_large
   */
  change(change: StoredSettings, by: SettingsChange): Promise<ChangedSettings>;
}

/** What a settings writer works with. */
export interface SettingsWriterOptions {
  readonly database: Pick<Database, 'prisma' | 'transaction'>;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly secrets: SecretBox;
  /** The zone of the host, which holds where the settings name none. */
  readonly timezone: string;
}

const mostBytes = 262_144;

function checkSize(settings: StoredSettings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= mostBytes) return;
  throw new HubError('payload_too_large', { message: 'The settings must be at most 256 KiB.' });
}

/** Changes settings under a lock on their row, so that of two changes at once none is lost. */
export function createSettingsWriter(options: SettingsWriterOptions): SettingsWriter {
  const { database, notifier, secrets, timezone } = options;

  async function merge(stored: StoredSettings, change: StoredSettings) {
    const masked = maskSecrets(stored);
    const shown = layOverDefaults(mergeSettings(masked, change), timezone);
    checkSettings(shown, change);
    const stray = findStraySecrets(layOverDefaults(masked, timezone), shown);
    const before = await sealStored(stored, secrets);
    const given = await sealGiven(change, secrets);
    const merged = clearSecrets(mergeSettings(before, given, isSameSealed(secrets)), stray);
    const after = withoutAddedDefaults(before, merged, timezone);
    checkSize(after);
    const keys = changedKeys(layOverDefaults(before, timezone), layOverDefaults(after, timezone));
    return { after, keys, clearedSecrets: stray.map((path) => path.join('.')) };
  }

  async function endSessions(prisma: PrismaClient, keys: readonly string[]): Promise<void> {
    for (const role of ['admin', 'contributor'] as const) {
      if (keys.includes(`general.${passwordKeys[role]}`)) await endSessionsOf(prisma, role);
    }
  }

  async function changeIn(transaction: Transaction, change: StoredSettings, by: SettingsChange) {
    const { client, prisma } = transaction;
    // Secrets are sealed under the lock: while keys are turned over, what is sealed with the old one is resealed.
    const { value, version } = await lockSettings(client);
    if (by.ifVersions && !by.ifVersions.includes(version)) throw new HubError('conflict');
    const { after, keys, clearedSecrets } = await merge(value, change);
    const isChanged = keys.length > 0;
    const next = isChanged ? version + 1 : version;
    if (!isDeepStrictEqual(after, value)) await writeSettings(client, after, isChanged);
    if (isChanged) {
      await noteChange(transaction, { version: next, keys, role: by.role, requestId: by.requestId });
      await endSessions(prisma, keys);
    }
    return { version: next, settings: maskSecrets(withDefaults(after, timezone)), keys, clearedSecrets };
  }

  return {
    async read() {
      const { value, version } = await readSettings(database.prisma);
      return { version, settings: maskSecrets(withDefaults(value, timezone)) };
    },
    async change(change, by) {
      const changed = await database.transaction((transaction) => changeIn(transaction, change, by));
      const token = changed.keys.length ? notifier.notify({ kind: 'settings' }) : undefined;
      return { ...changed, token };
    },
  };
}
