import { isDeepStrictEqual } from 'node:util';
import type { Database, PrismaClient } from '@birdhub/shared/db';
import { type ErrorDetail, HubError } from '@birdhub/shared/errors';
import { commitWithPrisma, type PrismaCommitDeps, type PrismaWriteTransaction } from '@birdhub/shared/outbox';
import type { SecretBox } from '@birdhub/shared/secrets';
import { endSessionsOf, passwordKeys } from '@birdhub/shared/sessions';
import { isTimeZone } from '@birdhub/shared/time';
import { compileSchema, invalidRequest, toDetails } from '@birdhub/shared/validation';
import { checkHookMappings } from './hook.js';
import { changedKeys, layOverDefaults, mergeSettings, withDefaults, withoutAddedDefaults } from './merge.js';
import {
  defaultSettings,
  isGroup,
  isKnownList,
  type Settings,
  SettingsSchema,
  type StoredSettings,
} from './schema.js';
import {
  clearSecrets,
  findStraySecrets,
  isSameSealed,
  maskSecrets,
  sealGiven,
  sealStored,
} from './secrets.js';
import { lockSettings, noteChange, readSettings, writeSettings } from './settings.store.js';

/** The settings as the API shows them: complete, with `***` in place of secrets that are set. */
export interface ShownSettings {
  readonly version: number;
  readonly settings: Settings;
}

/** Settings after a change. */
export interface ChangedSettings extends ShownSettings {
  /** Dotted names of what changed; none when nothing did. */
  readonly keys: readonly string[];
  /** Dotted names of the secrets that were cleared because their address has changed and they were not sent again. */
  readonly clearedSecrets: readonly string[];
}

/** Who changes settings, and which versions the change is meant for. */
export interface SettingsChange {
  readonly role: string;
  /** The name of the access token of the request. */
  readonly accessToken?: string | undefined;
  readonly requestId?: string;
  /** The change is refused unless the settings have one of these versions. */
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

/** Changes settings under a lock on their row, so that concurrent changes do not overwrite each other. */
export function createSettingsWriter(deps: SettingsWriterDeps): SettingsWriter {
  const { database, secrets, timezone } = deps;

  async function merge(stored: StoredSettings, change: StoredSettings) {
    const masked = maskSecrets(stored);
    const shown = layOverDefaults(mergeSettings(masked, change), timezone);
    await checkSettings(shown, change);
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

  async function changeIn(transaction: PrismaWriteTransaction, change: StoredSettings, by: SettingsChange) {
    const { client, prisma } = transaction;
    // Secrets are sealed under the lock: a rotation of keys reseals under it what is sealed with the old key.
    const { value, version } = await lockSettings(client);
    if (by.ifVersions && !by.ifVersions.includes(version)) throw new HubError('conflict');
    const { after, keys, clearedSecrets } = await merge(value, change);
    const isChanged = keys.length > 0;
    const next = isChanged ? version + 1 : version;
    if (!isDeepStrictEqual(after, value)) await writeSettings(client, after, isChanged);
    if (isChanged) {
      const { role, accessToken, requestId } = by;
      await noteChange(transaction, { version: next, keys, role, accessToken, requestId });
      await endSessions(prisma, keys);
      transaction.changed({ kind: 'settings' });
    }
    return { version: next, settings: maskSecrets(withDefaults(after, timezone)), keys, clearedSecrets };
  }

  return {
    async read() {
      const { value, version } = await readSettings(database.prisma);
      return { version, settings: maskSecrets(withDefaults(value, timezone)) };
    },
    change: (change, by) => commitWithPrisma(deps, (transaction) => changeIn(transaction, change, by)),
  };
}

const validate = compileSchema(SettingsSchema, 'all');

type Rule = (settings: Settings) => (ErrorDetail | false)[];

/** An uncompressed point of P-256 in base64url (RFC 8292). */
const publicKeyShape = /^$|^B[\w-]{86}$/;

const isBeyond = (degrees: string, max: number) => Math.abs(Number(degrees)) > max;

/** What the schema cannot say. A mistake between two settings is reported at both, then filtered by what the change names. */
const rules: readonly Rule[] = [
  ({ general }) => [
    general.timezone !== '' &&
      !isTimeZone(general.timezone) && { path: '/general/timezone', message: 'must be an IANA time zone' },
  ],
  ({ secrets }) => [
    isBeyond(secrets.latitude, 90) && { path: '/secrets/latitude', message: 'must be from -90 to 90' },
    isBeyond(secrets.longitude, 180) && { path: '/secrets/longitude', message: 'must be from -180 to 180' },
  ],
  ({ general }) => {
    const isAlone = general.contributor_password !== '' && general.settings_password === '';
    return [
      isAlone && { path: '/general/contributor_password', message: 'needs a settings password' },
      isAlone && {
        path: '/general/settings_password',
        message: 'must stay while there is a contributor password',
      },
    ];
  },
  ({ web_push: { vapid_public_key: key } }) => [
    !publicKeyShape.test(key) && {
      path: '/web_push/vapid_public_key',
      message: 'must be a public key of P-256 in base64url',
    },
  ],
  ({ notifications: { quiet_hours_start: start, quiet_hours_end: end } }) => {
    const isHalf = (start === '') !== (end === '');
    const message = 'must be set together with the other end of the quiet hours';
    return [
      isHalf && { path: '/notifications/quiet_hours_start', message },
      isHalf && { path: '/notifications/quiet_hours_end', message },
    ];
  },
  ({ video }) => {
    const ids = video.cameras.map(({ id }) => id);
    return ids.map(
      (id, index) =>
        ids.indexOf(id) < index && {
          path: `/video/cameras/${index}/id`,
          message: 'is the id of another camera',
        },
    );
  },
  ({ mqtt, feed }) => {
    const isOfFixed = fixedTopics.some((topic) => areNested(mqtt.post_topic, topic));
    const isOfVisits = areNested(mqtt.post_topic, mqtt.publish_topic);
    const isOfFeeder = areNested(mqtt.post_topic, feed.mqtt_topic);
    const message = 'must be neither within mqtt.post_topic nor above it';
    return [
      (isOfFixed || isOfVisits || isOfFeeder) && {
        path: '/mqtt/post_topic',
        message: 'must be neither within the topics that the hub publishes nor above them',
      },
      isOfVisits && { path: '/mqtt/publish_topic', message },
      isOfFeeder && { path: '/feed/mqtt_topic', message },
    ];
  },
  ({ hooks }) => {
    const hookNames = hooks.map(({ name }) => name);
    return hookNames.map(
      (name, index) =>
        hookNames.indexOf(name) < index && {
          path: `/hooks/${index}/name`,
          message: 'is that of another hook',
        },
    );
  },
];

/** Topics of the hub and of Home Assistant; the topic of visits is a setting. */
const fixedTopics = [
  'birdhub/availability',
  'birdhub/last_visit',
  'birdhub/visits_today',
  'birdhub/species_today',
  'birdhub/processor',
  'homeassistant',
];

/** Whether one topic is the other or below it: what the hub publishes would come back to it. */
function areNested(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** The settings with the defaults in place of what is of the wrong shape, so that the rules can be applied. */
function withoutMistakes(settings: Settings, pointers: readonly string[]): Settings {
  const sound: Record<string, unknown> = structuredClone(settings);
  const defaults: Record<string, unknown> = defaultSettings('');
  for (const [, group = '', key = ''] of pointers.map((pointer) => pointer.split('/'))) {
    const [own, usual] = [sound[group], defaults[group]];
    if (isKnownList([group])) sound[group] = usual;
    else if (isGroup(own) && isGroup(usual)) sound[group] = { ...own, [key]: usual[key] };
  }
  return sound as Settings;
}

function mistakesIn(settings: Settings): ErrorDetail[] {
  const wrong = validate(settings) ? [] : toDetails(validate.errors ?? [], 'body');
  const sound = withoutMistakes(
    settings,
    wrong.map(({ path }) => path),
  );
  return [...wrong, ...rules.flatMap((rule) => rule(sound)).filter((mistake) => mistake !== false)];
}

/** Whether a change names the setting that a JSON Pointer leads to or into. */
function isNamed(change: unknown, pointer: string): boolean {
  const [, group = '', key = ''] = pointer.split('/');
  const values = isGroup(change) ? change[group] : undefined;
  if (isKnownList([group])) return values !== undefined;
  return isGroup(values) && Object.hasOwn(values, key);
}

/**
 * Checks settings as they would be after a change; mistakes in settings that the change does not name are ignored.
 * @throws HubError invalid_request with a JSON Pointer into the change for each mistake
 */
async function checkSettings(settings: Settings, change: unknown): Promise<void> {
  const mistakes = mistakesIn(settings).filter(({ path }) => isNamed(change, path));
  const isOfHooks = ({ path }: ErrorDetail) => path.startsWith('/hooks');
  if (isNamed(change, '/hooks') && !mistakes.some(isOfHooks)) {
    const mappings = settings.hooks.map((mapping, index) => ({ path: `/hooks/${index}`, mapping }));
    mistakes.push(...(await checkHookMappings(mappings)));
  }
  if (mistakes.length) throw invalidRequest(mistakes);
}
