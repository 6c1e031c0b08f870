import type { TimelineItem } from '../../components/visits/describe-visit';
import { addDays, type Day, daysBetween } from '../../lib/days';

/** Number of visits of a day, as counted by the hub. */
export interface DayCount {
  readonly day: Day;
  readonly visits: number;
}

/** Consecutive days that are loaded together; both ends are inclusive. */
export interface Chunk {
  readonly from: Day;
  readonly to: Day;
}

/** Maximum number of visits in a chunk; a single day may have more. */
const maxChunkVisits = 120;
/** Longest range that the hub lists. */
const maxChunkDays = 31;

/**
 * Splits a range into chunks, oldest first. They start with a month or when the previous one is full, so that new
 * visits change only the newest chunk. Days without visits belong to the previous chunk, as they may have empty
 * recordings; in a gap of more than a month, the remaining days belong to no chunk.
 */
export function splitIntoChunks(counts: readonly DayCount[], range: Chunk): Chunk[] {
  const days = counts.filter(({ day }) => day >= range.from && day <= range.to);
  const starts: Day[] = [];
  let visits = 0;
  for (const one of days) {
    const start = starts.at(-1);
    const isSameMonth = start !== undefined && start.slice(0, 7) === one.day.slice(0, 7);
    if (isSameMonth && visits + one.visits <= maxChunkVisits) {
      visits += one.visits;
      continue;
    }
    starts.push(one.day);
    visits = one.visits;
  }
  const [first] = starts;
  if (first === undefined) return [clip({ from: range.from, to: range.to }, 'end')];
  const chunks = starts.map((from, index) => {
    const next = starts[index + 1];
    return clip({ from, to: next === undefined ? range.to : addDays(next, -1) }, 'start');
  });
  return first > range.from ? [clip({ from: range.from, to: addDays(first, -1) }, 'end'), ...chunks] : chunks;
}

/** Keeps the start or the end of a chunk that is too long. */
function clip({ from, to }: Chunk, keep: 'start' | 'end'): Chunk {
  if (daysBetween(from, to) < maxChunkDays) return { from, to };
  return keep === 'start'
    ? { from, to: addDays(from, maxChunkDays - 1) }
    : { from: addDays(to, 1 - maxChunkDays), to };
}

/** Loaded items of a day, newest first. */
export interface LoadedDay {
  readonly visits: readonly TimelineItem[];
  readonly empties: readonly TimelineItem[];
}

/**
 * Groups loaded items by the days of their chunk. Items that started before the chunk belong to the previous one; in
 * the oldest chunk of a range, they belong to its first day. Duplicates from overlapping pages are removed.
 */
export function itemsByDay(
  items: readonly TimelineItem[],
  { from, to }: Chunk,
  dayOf: (instant: string) => Day,
  isOldest: boolean,
): Map<Day, LoadedDay> {
  const days = new Map<Day, { visits: TimelineItem[]; empties: TimelineItem[] }>();
  const known = new Set<number>();
  for (const item of items) {
    const startDay = dayOf(item.start_time);
    if (known.has(item.id) || (startDay < from && !isOldest)) continue;
    known.add(item.id);
    const day = startDay < from ? from : startDay > to ? to : startDay;
    const content = days.get(day) ?? { visits: [], empties: [] };
    days.set(day, content);
    (item.timeline_kind === 'visit' ? content.visits : content.empties).push(item);
  }
  return days;
}

/** Numbers of items loaded for a day, and the count of the hub at that time. */
export interface KnownDay {
  readonly counted: number;
  readonly visits: number;
  readonly empties: number;
}

const noItems: LoadedDay = { visits: [], empties: [] };

/**
 * Adds the loaded days to the known ones; completely loaded days without items have none. Returns the same map if
 * nothing changes.
 */
export function rememberDays(
  before: ReadonlyMap<Day, KnownDay>,
  counts: readonly DayCount[],
  days: ReadonlyMap<Day, LoadedDay>,
  isComplete: (day: Day) => boolean,
): ReadonlyMap<Day, KnownDay> {
  const counted = new Map(counts.map(({ day, visits }) => [day, visits]));
  const next = new Map(before);
  let isChanged = false;
  for (const day of new Set([...days.keys(), ...counted.keys(), ...before.keys()])) {
    const isWhole = isComplete(day);
    const content = days.get(day) ?? (isWhole ? noItems : undefined);
    if (content === undefined) continue;
    const hubCount = counted.get(day) ?? 0;
    const found = {
      counted: hubCount,
      visits: isWhole ? content.visits.length : Math.max(hubCount, content.visits.length),
      empties: content.empties.length,
    };
    const old = next.get(day);
    if (old?.counted === found.counted && old.visits === found.visits && old.empties === found.empties)
      continue;
    next.set(day, found);
    isChanged = true;
  }
  return isChanged ? next : before;
}
