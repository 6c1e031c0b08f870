import { isDeepStrictEqual } from 'node:util';
import type { Database, PrismaClient } from '@birdhub/shared/db';
import { type ErrorDetail, HubError, invalidField, refuse } from '@birdhub/shared/errors';
import { commitWithPrisma, type PrismaCommitDeps, type PrismaWriteTransaction } from '@birdhub/shared/outbox';
import type { SecretBox } from '@birdhub/shared/secrets';
import { endSessionsOf, passwordKeys } from '@birdhub/shared/sessions';
import { isTimeZone } from '@birdhub/shared/time';
import { compileSchema, invalidRequest, toDetails } from '@birdhub/shared/validation';
import { layOverDefaults, withDefaults } from './effective-settings.js';
import { checkHookMappings } from './hook.js';
import {
  defaultSettings,
  isGroup,
  isKnownGroup,
  isKnownKey,
  isKnownList,
  type Path,
  pointerTo,
  type Settings,
  SettingsSchema,
  type StoredSettings,
} from './schema.js';
import {
  clearSecrets,
  findStraySecrets,
  isSameSealed,
  isSecretPlace,
  mask,
  maskSecrets,
  matchEntries,
  sealGiven,
  sealStored,
} from './secrets.js';
import { lockSettings, readSettings, recordChange, writeSettings } from './settings.store.js';
import { maskStreamPasswords, restoreStreamPasswords } from './stream-passwords.js';

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

/** The only writer of settings. */
export interface SettingsWriter {
  read(): Promise<ShownSettings>;
  /**
   * Merges a change into the current settings; see {@link mergeSettings}. A secret whose address changes is cleared
   * unless it is sent again.
   * @throws HubError invalid_request naming each invalid setting, conflict when the version differs, payload_too_large
   */
  change(change: StoredSettings, by: SettingsChange): Promise<ChangedSettings>;
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

/**
 * Creates a writer that changes settings under a lock on their row, so that concurrent changes do not overwrite each
 * other.
 */
export function createSettingsWriter(deps: SettingsWriterDeps): SettingsWriter {
  const { database, secrets, timezone } = deps;
  const show = (stored: StoredSettings) => maskStreamPasswords(maskSecrets(withDefaults(stored, timezone)));

  async function merge(stored: StoredSettings, received: StoredSettings) {
    const { change, lost } = restoreStreamPasswords(stored, received);
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
    return { after, keys, clearedSecrets: [...stray, ...lost].map((path) => path.join('.')) };
  }

  async function endSessions(prisma: PrismaClient, keys: readonly string[]): Promise<void> {
    for (const role of ['admin', 'contributor'] as const) {
      if (keys.includes(`general.${passwordKeys[role]}`)) await endSessionsOf(prisma, role);
    }
  }

  async function changeIn(transaction: PrismaWriteTransaction, change: StoredSettings, by: SettingsChange) {
    const { client, prisma } = transaction;
    // Secrets are sealed under the lock, because a key rotation reseals all secrets under the same lock.
    const { value, version } = await lockSettings(client);
    if (by.ifVersions && !by.ifVersions.includes(version)) throw new HubError('conflict');
    const { after, keys, clearedSecrets } = await merge(value, change);
    const isChanged = keys.length > 0;
    const next = isChanged ? version + 1 : version;
    if (!isDeepStrictEqual(after, value)) await writeSettings(client, after, isChanged);
    if (isChanged) {
      const { role, accessToken, requestId } = by;
      await recordChange(transaction, { version: next, keys, role, accessToken, requestId });
      await endSessions(prisma, keys);
      transaction.changed({ kind: 'settings' });
    }
    return { version: next, settings: show(after), keys, clearedSecrets };
  }

  return {
    async read() {
      const { value, version } = await readSettings(database.prisma);
      return { version, settings: show(value) };
    },
    change: (change, by) => commitWithPrisma(deps, (transaction) => changeIn(transaction, change, by)),
  };
}

const validate = compileSchema(SettingsSchema, 'all');

type Rule = (settings: Settings) => (ErrorDetail | false)[];

/** An uncompressed point of P-256 in base64url (RFC 8292). */
const publicKeyShape = /^$|^B[\w-]{86}$/;

const isBeyond = (degrees: string, max: number) => Math.abs(Number(degrees)) > max;

/**
 * Rules that the schema cannot express. A conflict between two settings is reported for both; errors of settings that
 * are not part of the change are then filtered out.
 */
const rules: readonly Rule[] = [
  ({ general }) => [
    general.timezone !== '' && !isTimeZone(general.timezone) && refuse('/general/timezone', 'time_zone'),
  ],
  ({ secrets }) => [
    isBeyond(secrets.latitude, 90) && refuse('/secrets/latitude', 'between', { min: -90, max: 90 }),
    isBeyond(secrets.longitude, 180) && refuse('/secrets/longitude', 'between', { min: -180, max: 180 }),
  ],
  ({ general }) => {
    const isWithoutAdmin = general.contributor_password !== '' && general.settings_password === '';
    return [
      isWithoutAdmin && refuse('/general/contributor_password', 'admin_password_needed'),
      isWithoutAdmin && refuse('/general/settings_password', 'admin_password_kept'),
    ];
  },
  ({ web_push: { vapid_public_key: key } }) => [
    !publicKeyShape.test(key) && refuse('/web_push/vapid_public_key', 'vapid_key'),
  ],
  ({ notifications: { quiet_hours_start: start, quiet_hours_end: end } }) => {
    const isHalf = (start === '') !== (end === '');
    const other = 'the other end of the quiet hours';
    return ['quiet_hours_start', 'quiet_hours_end'].map(
      (name) => isHalf && refuse(`/notifications/${name}`, 'both_ends', { other }),
    );
  },
  ({ video }) => {
    const ids = video.cameras.map(({ id }) => id);
    return ids.map(
      (id, index) => ids.indexOf(id) < index && refuse(`/video/cameras/${index}/id`, 'camera_id_taken'),
    );
  },
  ({ mqtt, feed }) => {
    const isOfFixed = fixedTopics.some((topic) => areNested(mqtt.post_topic, topic));
    const isOfVisits = areNested(mqtt.post_topic, mqtt.publish_topic);
    const isOfFeeder = areNested(mqtt.post_topic, feed.mqtt_topic);
    return [
      (isOfFixed || isOfVisits || isOfFeeder) && refuse('/mqtt/post_topic', 'topic_published'),
      isOfVisits && refuse('/mqtt/publish_topic', 'topic_posts'),
      isOfFeeder && refuse('/feed/mqtt_topic', 'topic_posts'),
    ];
  },
  ({ hooks }) => {
    const hookNames = hooks.map(({ name }) => name);
    return hookNames.map(
      (name, index) => hookNames.indexOf(name) < index && refuse(`/hooks/${index}/name`, 'hook_name_taken'),
    );
  },
];

/** Fixed topics of the hub and of Home Assistant; the topic of visits is a setting. */
const fixedTopics = [
  'birdhub/availability',
  'birdhub/last_visit',
  'birdhub/visits_today',
  'birdhub/species_today',
  'birdhub/processor',
  'birdhub/ha',
  'homeassistant',
];

/** Returns whether one topic equals or contains the other, so that the hub would receive its own messages. */
function areNested(one: string, other: string): boolean {
  if (one === '' || other === '') return false;
  return `${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`);
}

/** Replaces invalid settings by their defaults, so that the rules can be applied to the others. */
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

/** Returns whether a change contains the setting at a JSON Pointer. */
function isNamed(change: unknown, pointer: string): boolean {
  const [, group = '', key = ''] = pointer.split('/');
  const values = isGroup(change) ? change[group] : undefined;
  if (isKnownList([group])) return values !== undefined;
  return isGroup(values) && Object.hasOwn(values, key);
}

/**
 * Checks the settings that would result from a change; errors in settings that it does not contain are ignored.
 * @throws HubError invalid_request with a JSON Pointer into the change for each error
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

/** Returns whether a stored secret and a given one are the same. */
export type IsSameSecret = (stored: unknown, given: unknown) => boolean;

/** How an object changes the stored one: `merge` keeps absent keys, `replace` removes them. */
type Mode = 'merge' | 'replace';

interface Place {
  readonly path: Path;
  readonly isSecret: boolean;
  readonly mode: Mode;
}

const maxDepth = 32;
const maxKeyLength = 200;

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** @throws HubError invalid_request for values that JSON or the database cannot store */
function checkStorable(value: unknown, path: Path): void {
  const refuse = (message: string) => {
    throw invalidField(pointerTo(path), message);
  };
  if (path.length > maxDepth) refuse(`must not be nested deeper than ${maxDepth}`);
  const key = path.at(-1) ?? '';
  if (key.length > maxKeyLength || !isStorable(key))
    refuse('must have a name of at most 200 plain characters');
  if (typeof value === 'string' && !isStorable(value)) refuse('must not contain NUL or half characters');
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('must be a finite number');
}

/** Returns whether a place is an entry of a setting that is a map, such as `species_mapping`. */
const isEntryOfRecord = ({ path, mode }: Place) => mode === 'merge' && isKnownKey(path.slice(0, -1));

/** Returns the new value of a place; undefined when it is removed. */
function mergeAt(stored: unknown, given: unknown, place: Place, isSame: IsSameSecret): unknown {
  const { path, isSecret } = place;
  checkStorable(given, path);
  if (isKnownGroup(path) && !isGroup(given)) throw invalidField(pointerTo(path), 'must be object');
  if (isKnownList(path) && given === null) return undefined;
  if (isKnownList(path) && !Array.isArray(given)) throw invalidField(pointerTo(path), 'must be array');
  if (isSecret && given === mask) return stored;
  if (isKnownKey(path) && (given === null || (isSecret && given === ''))) return undefined;
  if (given === null && isEntryOfRecord(place)) return undefined;
  if (isSecret && given === null) return '';
  if (Array.isArray(given)) return mergeList(stored, given, place, isSame);
  if (isGroup(given)) return mergeGroup(stored, given, place, isSame);
  return isSecret && isSame(stored, given) ? stored : given;
}

function placeIn({ path, isSecret }: Place, key: string, value: unknown, mode: Mode): Place {
  const inside = [...path, key];
  return { path: inside, isSecret: isSecretPlace(inside, value, isSecret), mode };
}

function mergeList(
  stored: unknown,
  given: readonly unknown[],
  place: Place,
  isSame: IsSameSecret,
): unknown[] {
  const findEntry = matchEntries(stored);
  return given.map((item, position) => {
    const inside = placeIn(place, String(position), item, 'replace');
    // A masked entry without a counterpart leaves a gap, so that later entries keep their position.
    const merged = mergeAt(findEntry(item, position), item, inside, isSame);
    return merged === undefined ? '' : merged;
  });
}

function mergeGroup(
  stored: unknown,
  given: Readonly<Record<string, unknown>>,
  place: Place,
  isSame: IsSameSecret,
): Record<string, unknown> {
  const { mode } = place;
  const old = new Map(isGroup(stored) ? Object.entries(stored) : []);
  const merged = new Map(mode === 'merge' ? old : []);
  for (const [key, value] of Object.entries(given)) {
    const after = mergeAt(old.get(key), value, placeIn(place, key, value, mode), isSame);
    if (after === undefined) merged.delete(key);
    else merged.set(key, after);
  }
  return Object.fromEntries(merged);
}

/**
 * Returns the settings after a change. Objects are merged recursively; lists are replaced. `***` keeps a stored secret
 * (in lists, that of the entry with the same `id`, or else at the same position); `null` and an empty text clear it.
 * `null` resets any other known key, removes an entry of a map such as `species_mapping`, and is an ordinary value at an
 * unknown key.
 * @throws HubError invalid_request for a known group that is not an object, and for values that cannot be stored
 */
export function mergeSettings(
  stored: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  isSame: IsSameSecret = Object.is,
): Record<string, unknown> {
  const root: Place = { path: [], isSecret: false, mode: 'merge' };
  return mergeAt(stored, change, root, isSame) as Record<string, unknown>;
}

/**
 * Removes values that a change added with their default, so that sending back all settings changes nothing and future
 * defaults still apply. Stored values are kept. An empty time zone means that of the host and is never stored.
 */
export function withoutAddedDefaults(
  before: StoredSettings,
  after: StoredSettings,
  timezone: string,
): StoredSettings {
  const defaults: StoredSettings = defaultSettings(timezone);
  const kept = Object.entries(after).flatMap(([name, values]) => {
    const isAddedList = isKnownList([name]) && before[name] === undefined;
    if (isAddedList && isDeepStrictEqual(values, defaults[name])) return [];
    if (!isKnownGroup([name]) || !isGroup(values)) return [[name, values]];
    const [old, usual] = [before[name] ?? {}, defaults[name] ?? {}].map(
      (group) => new Map(Object.entries(group)),
    );
    const isAdded = (key: string, value: unknown) =>
      !old?.has(key) && isDeepStrictEqual(value, usual?.get(key));
    const isNoZone = (key: string, value: unknown) => key === 'timezone' && value === '';
    const own = Object.entries(values).filter(
      ([key, value]) => !isAdded(key, value) && !isNoZone(key, value),
    );
    return own.length ? [[name, Object.fromEntries(own)]] : [];
  });
  return Object.fromEntries(kept);
}

function changesIn(group: string, before: unknown, after: unknown): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isGroup(before ?? {}) || !isGroup(after ?? {})) return [group];
  const [old, own] = [before, after].map((values) => new Map(Object.entries(values ?? {})));
  const keys = [...new Set([...(old?.keys() ?? []), ...(own?.keys() ?? [])])];
  const changed = keys.filter((key) => !isDeepStrictEqual(old?.get(key), own?.get(key)));
  return changed.length ? changed.map((key) => `${group}.${key}`) : [group];
}

/** Returns the dotted names (`group.key`) of the differing settings. */
export function changedKeys(before: StoredSettings, after: StoredSettings): string[] {
  const [old, own] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const groups = [...new Set([...old.keys(), ...own.keys()])];
  return groups.flatMap((group) => changesIn(group, old.get(group), own.get(group))).sort();
}
