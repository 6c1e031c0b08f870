import { isDeepStrictEqual } from 'node:util';
import type { Database, PrismaClient } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import { commitWithPrisma, type PrismaCommitDeps, type PrismaWriteTransaction } from '@birdhub/shared/outbox';
import type { SecretBox } from '@birdhub/shared/secrets';
import { endSessionsOf, passwordKeys } from '@birdhub/shared/sessions';
import { layOverDefaults, withDefaults } from './effective-settings.js';
import { changedKeys, mergeSettings, withoutAddedDefaults } from './merge-settings.js';
import type { Settings, StoredSettings } from './schema.js';
import {
  clearSecrets,
  findStraySecrets,
  isSameSealed,
  maskSecrets,
  sealGiven,
  sealStored,
} from './secrets.js';
import {
  lockSettings,
  readSettings,
  recordChange,
  revokeUnprotectedTokens,
  writeSettings,
} from './settings.store.js';
import { checkSettings } from './settings-rules.js';
import { restoreUrlPasswords } from './url-passwords.js';

/** The complete settings as returned by the API, with `***` in place of stored secrets. */
export interface ShownSettings {
  readonly version: number;
  readonly settings: Settings;
}

/** Settings after a change. */
export interface ChangedSettings extends ShownSettings {
  /** Dotted names of the changed settings. */
  readonly keys: readonly string[];
  /** Dotted names of the secrets that were cleared, because their address changed and they were not sent again. */
  readonly clearedSecrets: readonly string[];
  /** Names of the access tokens that the first admin password has revoked, as anybody could create them until then. */
  readonly revokedTokens: readonly string[];
}

/** The author of a change and the versions that it applies to. */
export interface SettingsChange {
  readonly role: string;
  /** The name of the access token of the request. */
  readonly accessToken?: string | undefined;
  readonly requestId?: string;
  /** The change is rejected unless the settings have one of these versions. */
  readonly ifVersions?: readonly number[] | undefined;
}

/** Dependencies of a settings writer. */
export interface SettingsWriterDeps extends PrismaCommitDeps {
  readonly database: Pick<Database, 'prisma' | 'transaction'>;
  readonly secrets: SecretBox;
  /** Zone of the host, used where the settings name none. */
  readonly timezone: string;
}

const maxBytes = 262_144;

function checkSize(settings: StoredSettings): void {
  if (Buffer.byteLength(JSON.stringify(settings)) <= maxBytes) return;
  throw new HubError('payload_too_large', { message: 'The settings must be at most 256 KiB.' });
}

/** The only writer of settings. It holds a lock on their row, so that concurrent changes do not overwrite each other. */
export class SettingsWriter {
  readonly #deps: SettingsWriterDeps;

  constructor(deps: SettingsWriterDeps) {
    this.#deps = deps;
  }

  /** Returns the current settings. */
  async read(): Promise<ShownSettings> {
    const { value, version } = await readSettings(this.#deps.database.prisma);
    return { version, settings: this.#show(value) };
  }

  /**
   * Merges a change into the current settings; see {@link mergeSettings}. A secret whose address changes is cleared
   * unless it is sent again.
   * @throws HubError invalid_request naming each invalid setting, conflict when the version differs, payload_too_large
   */
  change(change: StoredSettings, by: SettingsChange): Promise<ChangedSettings> {
    return commitWithPrisma(this.#deps, (transaction) => this.#changeIn(transaction, change, by));
  }

  async #changeIn(transaction: PrismaWriteTransaction, change: StoredSettings, by: SettingsChange) {
    const { client, prisma } = transaction;
    // Secrets are sealed under the lock, because a key rotation reseals all secrets under the same lock.
    const { value, version } = await lockSettings(client);
    if (by.ifVersions && !by.ifVersions.includes(version)) throw new HubError('conflict');
    const { after, keys, clearedSecrets, isFirstPassword } = await this.#merge(value, change);
    const isChanged = keys.length > 0;
    let revokedTokens: readonly string[] = [];
    const next = isChanged ? version + 1 : version;
    if (!isDeepStrictEqual(after, value)) await writeSettings(client, after, isChanged);
    if (isChanged) {
      const { role, accessToken, requestId } = by;
      await recordChange(transaction, { version: next, keys, role, accessToken, requestId });
      await endSessionsWithOldPassword(prisma, keys);
      if (isFirstPassword) revokedTokens = await revokeUnprotectedTokens(transaction, { role, accessToken });
      transaction.changed({ kind: 'settings' });
    }
    return { version: next, settings: this.#show(after), keys, clearedSecrets, revokedTokens };
  }

  async #merge(stored: StoredSettings, received: StoredSettings) {
    const { secrets, timezone } = this.#deps;
    const masked = maskSecrets(stored);
    const shown = layOverDefaults(mergeSettings(masked, received), timezone);
    await checkSettings(shown, received);
    const stray = findStraySecrets(layOverDefaults(masked, timezone), shown);
    const before = await sealStored(stored, secrets);
    const isSame = isSameSealed(secrets);
    const { change, lost } = restoreUrlPasswords(before, await sealGiven(received, secrets), isSame);
    const merged = clearSecrets(mergeSettings(before, change, isSame), stray);
    const after = withoutAddedDefaults(before, merged, timezone);
    checkSize(after);
    const [earlier, later] = [layOverDefaults(before, timezone), layOverDefaults(after, timezone)];
    return {
      after,
      keys: changedKeys(earlier, later),
      clearedSecrets: [...new Set([...stray, ...lost].map((path) => path.join('.')))],
      isFirstPassword: !hasAdminPassword(earlier) && hasAdminPassword(later),
    };
  }

  #show(stored: StoredSettings): Settings {
    return maskSecrets(withDefaults(stored, this.#deps.timezone));
  }
}

function hasAdminPassword({ general }: Settings): boolean {
  return general[passwordKeys.admin] !== '';
}

async function endSessionsWithOldPassword(prisma: PrismaClient, keys: readonly string[]): Promise<void> {
  for (const role of ['admin', 'contributor'] as const) {
    if (keys.includes(`general.${passwordKeys[role]}`)) await endSessionsOf(prisma, role);
  }
}
