import { isDay, previousDay } from '@birdhub/shared/time';
import { say } from './sentences.js';
import { type Json, UpstreamError } from './source-kind.js';
import { readObject } from './upstream-values.js';

/** An item of a list that is sorted by time, oldest first. */
export interface DayItem<T> {
  readonly id: string;
  /** Its day upstream, `YYYY-MM-DD`. */
  readonly day: string;
  readonly value: T;
}

/** A request for a page of the items since a day. */
export interface DayQuery {
  readonly day: string;
  readonly offset: number;
  readonly limit: number;
}

export interface DayList<T> {
  readonly items: readonly DayItem<T>[];
  /** Total number of items since the day; undefined when upstream does not return it. */
  readonly total: number | undefined;
}

/**
 * The position of reading. Offsets are relative to the start of a day, so that deletions upstream shift only few items.
 */
export interface DayCursor {
  readonly day: string;
  readonly offset: number;
  /** The ids of the last items, which are read again to detect insertions and deletions before them. */
  readonly seen: readonly string[];
  /** `total` when the end was reached; null before. */
  readonly total: number | null;
  /** Whether the day is being read again from its start. */
  readonly isScanning: boolean;
}

/** A page without items that were read before. */
export interface DayPage<T> {
  readonly values: readonly T[];
  readonly cursor: DayCursor;
  readonly isLast: boolean;
}

/** How many items are read again with each page. */
export const overlap = 100;
/** More than microphones can detect in two days, so that upstream must be defective. */
const maxDayItems = 100_000;

export const startAtDay = (day: string): DayCursor => ({
  day,
  offset: 0,
  seen: [],
  total: null,
  isScanning: false,
});

/**
 * Reads the next page of a list that only supports offsets and days. Insertions before the position, for example after
 * a late analysis, are detected and the day is read again, so that some items are returned twice.
 * @throws UpstreamError when a day does not end
 */
export async function readDayPage<T>(
  cursor: DayCursor,
  limit: number,
  list: (query: DayQuery) => Promise<DayList<T>>,
): Promise<DayPage<T>> {
  if (cursor.offset > maxDayItems)
    throw new UpstreamError('birds', say('full_day', { number: maxDayItems, day: cursor.day }));
  const repeated = Math.min(cursor.offset, overlap);
  const from = cursor.offset - repeated;
  const requested = limit + repeated;
  const { items, total } = await list({ day: cursor.day, offset: from, limit: requested });
  const seen = new Set(cursor.seen);
  const fresh = items.filter(({ id }) => !seen.has(id));
  const isEnd = items.length < requested;
  const [first] = items;
  const isMoved = repeated > 0 && (first === undefined || !seen.has(first.id));
  const isDeleted =
    isEnd && total !== undefined && cursor.total !== null && fresh.length !== total - cursor.total;
  if (!cursor.isScanning && (isMoved || isDeleted))
    return readDayPage({ ...startAtDay(cursor.day), total: cursor.total, isScanning: true }, limit, list);
  const taken = fresh.slice(0, limit);
  const read = items.slice(
    0,
    taken.length < fresh.length ? items.indexOf(taken.at(-1) as DayItem<T>) + 1 : undefined,
  );
  const isLast = isEnd && read.length === items.length;
  const position = { day: cursor.day, offset: Math.max(cursor.offset, from + read.length) };
  const ids = new Set(read.map(({ id }) => id));
  const next: DayCursor = {
    ...position,
    seen: [...cursor.seen.filter((id) => !ids.has(id)), ...ids].slice(-overlap),
    total: isLast ? (total ?? null) : cursor.total,
    isScanning: cursor.isScanning && !isLast,
  };
  const values = taken.map(({ value }) => value);
  return { values, isLast, cursor: isLast ? returnToPreviousDay(next, read) : advanceToLastDay(next, read) };
}

/** Moves the cursor to the day of the last item, when items of a later day were read and there are more. */
function advanceToLastDay<T>(cursor: DayCursor, read: readonly DayItem<T>[]): DayCursor {
  const last = read.at(-1)?.day ?? '';
  if (last <= cursor.day || !isDay(last)) return cursor;
  const offset = read.filter(({ day }) => day === last).length;
  return { ...cursor, day: last, offset, total: null, isScanning: false };
}

/** Moves the cursor to the previous day at the end of the list, as items from before midnight may arrive late. */
function returnToPreviousDay<T>(cursor: DayCursor, read: readonly DayItem<T>[]): DayCursor {
  const last = read.at(-1)?.day ?? '';
  if (!isDay(last) || previousDay(last) <= cursor.day) return cursor;
  return { ...startAtDay(previousDay(last)), isScanning: true };
}

export function dayCursorToJson(cursor: DayCursor): Json {
  return { ...cursor };
}

/** Parses a stored cursor; undefined when it is invalid. */
export function toDayCursor(json: Json | undefined): DayCursor | undefined {
  const { day, offset, seen, total, isScanning } = readObject(json);
  if (typeof day !== 'string' || !isDay(day) || !Number.isInteger(offset) || Number(offset) < 0)
    return undefined;
  return {
    day,
    offset: Number(offset),
    seen: Array.isArray(seen) ? seen.map(String).slice(-overlap) : [],
    total: typeof total === 'number' ? total : null,
    isScanning: isScanning === true,
  };
}
