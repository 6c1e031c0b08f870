import { isDeepStrictEqual } from 'node:util';
import { invalidField } from '@birdhub/shared/errors';
import {
  defaultSettings,
  isGroup,
  isKnownGroup,
  isKnownKey,
  isKnownList,
  type Path,
  pointerTo,
  type StoredSettings,
} from './schema.js';
import { type IsSameSecret, isSecretPlace, mask, matchEntries } from './secrets.js';

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
