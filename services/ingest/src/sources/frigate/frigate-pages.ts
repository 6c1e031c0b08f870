import { say } from '../sentences.js';
import { type DroppedEvent, type Json, type ReadRequest, UpstreamError } from '../source-kind.js';
import type { ListRequest } from './frigate-api.js';
import type { Checked, RecordingUnit } from './frigate-records.js';

/** The position of reading. Instants are starts of records in unix seconds. */
export interface FrigateCursor {
  readonly unit: RecordingUnit;
  /** Start of the next scan: an hour before the newest record, as records may arrive late. */
  readonly from: number;
  /** Progress of this scan; `seen` are the ids that were read at exactly this instant. */
  readonly at: number;
  readonly seen: readonly string[];
  /** The latest start so far. */
  readonly newest: number | null;
  /** Number of non-empty pages. */
  readonly page: number;
}

interface TimedRecord {
  readonly id: string;
  readonly start: number;
  /** Undefined while it is in progress. */
  readonly end: number | undefined;
}

/** A page of checked records, the oldest first. */
export interface RecordPage<T> {
  readonly records: readonly T[];
  readonly dropped: readonly DroppedEvent[];
  readonly cursor: FrigateCursor;
  readonly isLast: boolean;
}

/** Lists checked records that start between two instants; the unit determines which end the limit cuts off. */
export type ListRecords<T> = (request: ListRequest) => Promise<readonly Checked<T>[]>;

/** How far each scan begins before the newest record. */
const overlapSeconds = 3_600;
const daySeconds = 86_400;
/** Smaller than the resolution of Frigate's times. */
const epsilonSeconds = 1e-6;
/** Records per request: those of long stays may have several kB each. */
const requestLimit = (wanted: number) => Math.min(500, Math.max(200, wanted));
/** Maximum records of one request, when many start at one time. */
const maxListed = 5_000;
/** Maximum length of a segment: some versions compare `before` with its end. */
const maxSegmentSeconds = 3_600;
/** Maximum consecutive requests of empty windows in one read. */
const maxEmptyWindows = 20;

/** Returns the cursor to continue from; a changed unit continues after the records of the former one. */
export function openCursor(
  stored: Json | undefined,
  { unit, since }: { readonly unit: RecordingUnit; readonly since: number },
): FrigateCursor {
  const first = { unit, from: since / 1000, at: since / 1000, seen: [], newest: null, page: 0 };
  if (!isCursor(stored)) return first;
  if (stored.unit === unit) return stored;
  const from = Math.max(stored.from, stored.at, stored.newest === null ? 0 : stored.newest + epsilonSeconds);
  return { ...first, from, at: from, newest: stored.newest, page: stored.page + 1 };
}

function isCursor(value: unknown): value is FrigateCursor {
  if (typeof value !== 'object' || value === null) return false;
  const { unit, from, at, seen, newest, page } = value as Record<keyof FrigateCursor, unknown>;
  const numbers = [from, at, page, newest ?? 0];
  return (unit === 'review' || unit === 'event') && numbers.every(Number.isFinite) && Array.isArray(seen);
}

/** Reads all records in the order of their starts, page by page. */
export class FrigatePages {
  /** Length of the windows for review segments. */
  #windowSeconds = Number.POSITIVE_INFINITY;

  /** Reads the page that follows a cursor; `now` in ms. */
  async read<T extends TimedRecord>(
    list: ListRecords<T>,
    cursor: FrigateCursor,
    request: Pick<ReadRequest, 'until' | 'limit'> & { readonly now: number },
  ): Promise<RecordPage<T>> {
    const { until, limit, now } = request;
    const end = until === undefined ? now / 1000 + 2 * daySeconds : until / 1000;
    if (cursor.at >= end) return { records: [], dropped: [], cursor, isLast: true };
    const slice =
      cursor.unit === 'event'
        ? await readSlice(list, cursor, { end, limit })
        : await this.#readWindow(list, cursor, { end, limit, isLive: until === undefined });
    const seen = new Set(cursor.seen);
    const fresh = slice.records
      .filter(({ id, start }) => start > cursor.at || !seen.has(id))
      .sort((a, b) => a.start - b.start || compareIds(a, b));
    const records = fresh.slice(0, limit);
    const newest = newestOf(records, cursor.newest, now);
    const hasMore = fresh.length > records.length;
    const isLast = !hasMore && slice.completeTo === undefined;
    const page = cursor.page + Number(records.length + slice.dropped.length > 0);
    const moved = { ...cursor, newest, page };
    const last = records.at(-1)?.start ?? cursor.at;
    const next = isLast
      ? startNextScan(moved, { until, now })
      : hasMore
        ? advance(moved, last, records)
        : advance(moved, slice.completeTo ?? last, records);
    return { records, dropped: slice.dropped, cursor: next, isLast };
  }

  /**
   * Reads the segments that start in a window. The limit cuts off the oldest, so the window is halved until all fit.
   */
  async #readWindow<T extends TimedRecord>(
    list: ListRecords<T>,
    { at }: FrigateCursor,
    request: WindowRequest,
  ): Promise<Slice<T>> {
    let start = at;
    for (let windows = 0; ; windows += 1) {
      const window = await this.#listWindow(list, start, request);
      const records = window.records.filter((record) => record.start >= start && record.start < window.to);
      const isEnd = window.to >= request.end;
      if (isEnd || records.length || window.dropped.length || windows >= maxEmptyWindows)
        return { records, dropped: window.dropped, completeTo: isEnd ? undefined : window.to };
      start = window.to;
    }
  }

  async #listWindow<T extends TimedRecord>(
    list: ListRecords<T>,
    start: number,
    { end, limit: wanted, isLive }: WindowRequest,
  ): Promise<{ readonly to: number } & Listed<T>> {
    let limit = requestLimit(2 * wanted);
    for (;;) {
      const to = Math.min(end, start + this.#windowSeconds);
      const before = isLive && to === end ? undefined : to + maxSegmentSeconds;
      const checked = await list({ after: start - epsilonSeconds, before, limit });
      const listed = partition(checked);
      requireBefore(listed.records, before);
      if (checked.length < limit) {
        if (checked.length < limit / 8) this.#windowSeconds *= 2;
        return { ...listed, to };
      }
      if (to - start > maxSegmentSeconds) this.#windowSeconds = (to - start) / 2;
      else if (limit < maxListed) limit = Math.min(maxListed, 4 * limit);
      else return { records: listed.records, dropped: [...listed.dropped, tooMany(start)], to };
    }
  }
}

/** Checks that upstream respects `before`, without which windows would not shrink. @throws UpstreamError */
function requireBefore(records: readonly TimedRecord[], before: number | undefined): void {
  // Some versions ignore `before` for segments in progress.
  const isLater = ({ start, end }: TimedRecord) =>
    before !== undefined && end !== undefined && start > before + 1;
  if (records.some(isLater)) throw new UpstreamError('version', say('frigate_odd_reviews'));
}

interface WindowRequest {
  readonly end: number;
  /** Maximum records of a page. */
  readonly limit: number;
  readonly isLive: boolean;
}

/** Checked records of one request. */
interface Listed<T> {
  readonly records: readonly T[];
  readonly dropped: readonly DroppedEvent[];
}

/** Records since an instant, complete up to `completeTo`, or all if undefined. */
interface Slice<T> extends Listed<T> {
  readonly completeTo: number | undefined;
}

/** Reads tracked objects, which are listed by their start. */
async function readSlice<T extends TimedRecord>(
  list: ListRecords<T>,
  { at, seen }: FrigateCursor,
  { end, limit: wanted }: { readonly end: number; readonly limit: number },
): Promise<Slice<T>> {
  let limit = Math.min(maxListed, requestLimit(wanted) + seen.length);
  const known = new Set(seen);
  for (;;) {
    const checked = await list({ after: at - epsilonSeconds, before: end, limit });
    const { records, dropped } = partition(checked);
    const inRange = records.filter(({ start }) => start >= at && start < end);
    const isCut = checked.length >= limit;
    const last = Math.max(at, ...inRange.map(({ start }) => start));
    const isMore = last > at || inRange.some(({ id }) => !known.has(id));
    if (!isCut) return { records: inRange, dropped, completeTo: undefined };
    if (isMore) return { records: inRange, dropped, completeTo: last };
    // All listed records are known already; there may be more at the same instant.
    if (limit === maxListed)
      return { records: [], dropped: [...dropped, tooMany(at)], completeTo: undefined };
    limit = Math.min(maxListed, limit * 2);
  }
}

function partition<T>(checked: readonly Checked<T>[]): Listed<T> {
  return {
    records: checked.flatMap((entry) => ('record' in entry ? [entry.record] : [])),
    dropped: checked.flatMap((entry) => ('dropped' in entry ? [entry.dropped] : [])),
  };
}

const tooMany = (start: number): DroppedEvent => ({
  upstreamId: '',
  at: Math.round(start * 1000),
  reason: say('frigate_too_many', { number: maxListed }),
});

const compareIds = (a: TimedRecord, b: TimedRecord) => (a.id < b.id ? -1 : Number(a.id > b.id));

/** A record with a future date must not hide later ones. */
function newestOf(records: readonly TimedRecord[], before: number | null, now: number): number | null {
  const starts = records.map(({ start }) => start).filter((start) => start * 1000 <= now);
  const last = starts.at(-1);
  return last === undefined ? before : Math.max(before ?? last, last);
}

function advance(cursor: FrigateCursor, to: number, records: readonly TimedRecord[]): FrigateCursor {
  const at = Math.max(cursor.at, to);
  const here = records.filter(({ start }) => start === at).map(({ id }) => id);
  const seen = at === cursor.at ? [...new Set([...cursor.seen, ...here])] : here;
  return { ...cursor, at, seen };
}

/** Returns the start of the next scan. Before the first record, allows for clocks that are a day behind. */
function startNextScan(
  cursor: FrigateCursor,
  { until, now }: { readonly until: number | undefined; readonly now: number },
): FrigateCursor {
  if (until !== undefined) return { ...cursor, at: Math.max(cursor.at, until / 1000), seen: [] };
  const back = cursor.newest === null ? now / 1000 - daySeconds : cursor.newest - overlapSeconds;
  const from = Math.max(cursor.from, back);
  return { ...cursor, from, at: from, seen: [] };
}
