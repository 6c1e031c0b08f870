import { invalidField } from '@birdhub/shared/errors';
import { isKnownGroup, isKnownKey, type Path, pointerTo } from './places.js';
import { isGroup, isSecretPlace, mask } from './secret-places.js';

/** Whether a stored secret and a given one are the same. */
export type IsSameSecret = (stored: unknown, given: unknown) => boolean;

/** How a given value meets the stored one: `merge` keeps the keys that it does not name, `replace` drops them. */
type Mode = 'merge' | 'replace';

interface Place {
  readonly path: Path;
  readonly isSecret: boolean;
  readonly mode: Mode;
}

const deepest = 32;
const longestKey = 200;

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** @throws HubError invalid_request for what the database or JSON cannot hold */
function checkStorable(value: unknown, path: Path): void {
  const refuse = (message: string) => {
    throw invalidField(pointerTo(path), message);
  };
  if (path.length > deepest) refuse(`must not be nested deeper than ${deepest}`);
  const key = path.at(-1) ?? '';
  if (key.length > longestKey || !isStorable(key)) refuse('must have a name of at most 200 plain characters');
  if (typeof value === 'string' && !isStorable(value)) refuse('must not contain NUL or half characters');
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('must be a finite number');
}

function idOf(entry: unknown): string | number | undefined {
  const id = isGroup(entry) ? entry['id'] : undefined;
  return typeof id === 'number' || (typeof id === 'string' && id !== mask) ? id : undefined;
}

/** Finds the stored entry of a given one: by its `id`, without one by its position. */
export function matchEntries(stored: unknown): (given: unknown, position: number) => unknown {
  const entries: readonly unknown[] = Array.isArray(stored) ? stored : [];
  const byId = new Map(entries.map((entry) => [idOf(entry), entry]));
  return (given, position) => {
    const id = idOf(given);
    const beside = entries[position];
    return id === undefined || id === idOf(beside) ? beside : byId.get(id);
  };
}

/** Whether a place is an entry of one of the records among the known keys, such as `species_mapping`. */
const isEntryOfRecord = ({ path, mode }: Place) => mode === 'merge' && isKnownKey(path.slice(0, -1));

/** Undefined for what is not to be there. */
function mergeAt(stored: unknown, given: unknown, place: Place, isSame: IsSameSecret): unknown {
  const { path, isSecret } = place;
  checkStorable(given, path);
  if (isKnownGroup(path) && !isGroup(given)) throw invalidField(pointerTo(path), 'must be object');
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
    // A masked entry without a counterpart leaves its place empty, so that those after it keep theirs.
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
 * The settings after a change. Objects merge key by key, at any depth; lists are replaced whole. At a secret `***`
 * keeps what is stored (within lists that of the entry of the same `id`, else position), `null` and an empty text
 * clear it. `null` resets another known key, removes an entry of a record such as `species_mapping`, and is a value at
 * an unknown key.
 * @throws HubError invalid_request for a known group that is no object, and for what cannot be stored
 */
export function mergeSettings(
  stored: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>>,
  isSame: IsSameSecret = Object.is,
): Record<string, unknown> {
  const whole: Place = { path: [], isSecret: false, mode: 'merge' };
  return mergeAt(stored, change, whole, isSame) as Record<string, unknown>;
}
