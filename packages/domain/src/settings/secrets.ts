import { isDeepStrictEqual } from 'node:util';
import { hashPassword } from '@birdhub/shared/passwords';
import { isSealed, LostKeyError, type SecretBox } from '@birdhub/shared/secrets';
import { passwordKeys } from '@birdhub/shared/sessions';
import { isGroup, type Path, type Settings, type StoredSettings } from './schema.js';

/** Names of secrets in any spelling: `api_key`, `apiKey`, `API-Key`. */
const secretName = /password|token|apikey|privatekey|secret/;
/** The same without plurals, which occur in names of numbers such as `max_tokens`. */
const singularName = /(?:password|token|apikey|privatekey|secret)(?!s)/;

const openPlaces = new Set(['secrets/latitude', 'secrets/longitude', 'secrets/zip']);

/** Returns whether the value at a place is or contains a secret; everything within a secret place is secret. */
export function isSecretPlace(path: Path, value: unknown, isWithinSecret: boolean): boolean {
  if (openPlaces.has(path.join('/'))) return false;
  if (isWithinSecret) return true;
  const name = (path.at(-1) ?? '').toLowerCase().replaceAll(/[-_ ]/g, '');
  const isText = typeof value === 'string' || (typeof value === 'object' && value !== null);
  return (isText ? secretName : singularName).test(name);
}

/** Settings that are URLs, which may have a password. */
const urlPlace = /^(?:mqtt\/broker|feed\/esphome_url|video\/cameras\/\d+\/stream_url)$/;
const isUrlPlace = (path: Path) => urlPlace.test(path.join('/'));

/** Scheme and user, password, and host of a URL; a broker needs no scheme, and a password may contain an `@`. */
export const urlPassword = /^(\s*(?:[a-z][a-z0-9+.-]*:\/\/)?[^\s:/?#@]*:)([^\s/?#]+)(@[^\s/?#@]*)/i;

/** Returns a URL with another password, or without one if it is empty. */
function mapPassword(url: string, change: (password: string) => unknown): string {
  return url.replace(urlPassword, (_, user: string, password: string, host: string) => {
    const changed = change(password);
    return (changed === '' ? user.slice(0, -1) : user + changed) + host;
  });
}

/**
 * Returns a copy in which each secret is replaced by the result of `change`: a text or number at a secret place, or the
 * password in a URL.
 */
export function mapSecrets(
  value: unknown,
  change: (secret: string | number, path: Path) => unknown,
  path: Path = [],
  isSecret = false,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => mapSecrets(item, change, [...path, String(index)], isSecret));
  }
  if (isGroup(value)) {
    const entries = Object.entries(value).map(([key, item]) => {
      const place = [...path, key];
      return [key, mapSecrets(item, change, place, isSecretPlace(place, item, isSecret))];
    });
    return Object.fromEntries(entries);
  }
  if (typeof value === 'string' && isUrlPlace(path))
    return mapPassword(value, (password) => change(password, path));
  return isSecret && (typeof value === 'string' || typeof value === 'number') ? change(value, path) : value;
}

/** Placeholder of a secret in responses; in a change it keeps the stored secret. */
export const mask = '***';

/** Returns a copy with all non-empty secrets masked. */
export function maskSecrets<T>(settings: T): T {
  return mapSecrets(settings, (secret) => (secret === '' ? '' : mask)) as T;
}

const passwordPaths = Object.values(passwordKeys).map((key) => `general/${key}`);
const isPassword = (path: Path) => passwordPaths.includes(path.join('/'));

/** Returns a copy with the passwords hashed, except empty ones and those that `isHashed` accepts. */
async function hashPasswords(
  settings: StoredSettings,
  isHashed: (text: string) => boolean,
): Promise<StoredSettings> {
  const { general } = settings;
  if (!isGroup(general)) return settings;
  const values = { ...general };
  for (const key of Object.values(passwordKeys)) {
    const text = general[key];
    const isPlain = typeof text === 'string' && text !== '' && !isHashed(text);
    if (isPlain) values[key] = await hashPassword(text);
  }
  return { ...settings, general: values };
}

/** Prepares a change for storage: passwords are hashed, other secrets sealed; `***` and empty values stay. */
export async function sealGiven(change: StoredSettings, box: SecretBox): Promise<StoredSettings> {
  const hashed = await hashPasswords(change, (text) => text === mask);
  return mapSecrets(hashed, (secret, path) =>
    isPassword(path) || secret === '' || secret === mask ? secret : box.seal(secret),
  ) as StoredSettings;
}

/** Seals stored secrets that are in plain text, for example after a manual edit of the database. */
export async function sealStored(stored: StoredSettings, box: SecretBox): Promise<StoredSettings> {
  const hashed = await hashPasswords(stored, (text) => text.startsWith('$argon2id$'));
  return mapSecrets(hashed, (secret, path) =>
    isPassword(path) || secret === '' || isSealed(secret) ? secret : box.seal(secret),
  ) as StoredSettings;
}

/** Returns a copy with the secrets opened; those whose key is missing are empty, and without a box all are. */
export function openSecrets(
  stored: unknown,
  box: SecretBox | undefined,
  onUnopened: (path: Path, error: unknown) => void,
): unknown {
  return mapSecrets(stored, (secret, path) => {
    if (!isSealed(secret)) return secret;
    if (!box) return '';
    try {
      return box.open(secret);
    } catch (error) {
      onUnopened(path, error);
      return '';
    }
  });
}

/** Returns whether a stored secret and a given one are the same. */
export type IsSameSecret = (stored: unknown, given: unknown) => boolean;

/** Compares two stored secrets; two hashes of one password always differ. */
export function isSameSealed(box: SecretBox): IsSameSecret {
  return (stored, given) => {
    if (!isSealed(stored) || !isSealed(given)) return stored === given;
    try {
      return isDeepStrictEqual(box.open(stored), box.open(given));
    } catch (error) {
      if (error instanceof LostKeyError) return false;
      throw error;
    }
  };
}

function idOf(entry: unknown): string | number | undefined {
  const id = isGroup(entry) ? entry['id'] : undefined;
  return typeof id === 'number' || (typeof id === 'string' && id !== mask) ? id : undefined;
}

/** Finds the stored counterpart of a list entry by its `id`, or by its position without one. */
export function matchEntries(stored: unknown): (given: unknown, position: number) => unknown {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const byId = new Map(entries.map((entry) => [idOf(entry), entry]));
  return (given, position) => {
    const id = idOf(given);
    const samePosition = entries[position];
    return id === undefined || id === idOf(samePosition) ? samePosition : byId.get(id);
  };
}

/** A part of the settings that contains secrets, and the address to which they are sent. */
interface SecretAddress {
  readonly place: Path;
  readonly addressOf: (settings: Settings) => string;
}

/** Normalises an address without its user name; path and query are kept, because several services may share a host. */
function normaliseAddress(given: unknown): string {
  const text = String(given ?? '').trim();
  if (!URL.canParse(text)) return text;
  const { protocol, host, pathname, search } = new URL(text);
  return `${protocol}//${host.toLowerCase()}${pathname.replace(/\/+$/, '')}${search}`;
}

/** A broker is set as a host or URL, which may include a port; without a broker the port is ignored. */
function brokerOf({ broker, port }: Settings['mqtt']): string {
  const text = String(broker ?? '').trim();
  if (text === '') return '';
  const named = /^[a-z]+:\/\//i.test(text) ? text : `mqtt://${text}`;
  if (!URL.canParse(named)) return `${text} ${port}`;
  const { protocol, hostname, port: ownPort, pathname, search } = new URL(named);
  return `${protocol}//${hostname.toLowerCase()}:${ownPort || port}${pathname.replace(/\/+$/, '')}${search}`;
}

const addresses: readonly SecretAddress[] = [
  { place: ['homeassistant'], addressOf: ({ homeassistant }) => normaliseAddress(homeassistant.url) },
  { place: ['mqtt'], addressOf: ({ mqtt }) => brokerOf(mqtt) },
  { place: ['webhook'], addressOf: ({ webhook }) => normaliseAddress(webhook.url) },
  { place: ['feed'], addressOf: ({ feed }) => normaliseAddress(feed.esphome_url) },
];

/** Returns the places of cameras whose address changed. */
function movedCameras(before: Settings, after: Settings): Path[] {
  const findStored = matchEntries(before.video.cameras);
  return after.video.cameras.flatMap((camera, position) => {
    const stored = findStored(camera, position);
    const old = isGroup(stored) ? stored['stream_url'] : undefined;
    const isMoved = normaliseAddress(old) !== normaliseAddress(camera.stream_url);
    return isMoved ? [['video', 'cameras', String(position)]] : [];
  });
}

function valueAt(settings: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    settings,
  );
}

/**
 * Returns the places of secrets that a change keeps although their address changes. They must be cleared, because a
 * caller could otherwise have them sent to another address. Both settings are masked and complete.
 */
export function findStraySecrets(before: Settings, after: Settings): Path[] {
  const changed = addresses.filter(({ addressOf }) => addressOf(before) !== addressOf(after));
  const found: Path[] = [];
  for (const place of [...changed.map((address) => address.place), ...movedCameras(before, after)]) {
    const keep = (secret: string | number, path: Path) => {
      // The password of a stream is kept for another path of its host.
      if (secret === mask && path.at(-1) !== 'stream_url') found.push(path);
      return secret;
    };
    mapSecrets(valueAt(after, place), keep, place);
  }
  return found;
}

/** Returns a copy with the secrets at the places cleared. */
export function clearSecrets<T>(settings: T, places: readonly Path[]): T {
  const cleared = new Set(places.map((place) => place.join('\0')));
  return mapSecrets(settings, (secret, path) => (cleared.has(path.join('\0')) ? '' : secret)) as T;
}
