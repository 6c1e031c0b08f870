/** A closed stretch of time in ms since the epoch; `start` is not after `end`. */
export interface Interval {
  start: number;
  end: number;
}

/** Sorts by start, then end. */
export function compareIntervals(a: Interval, b: Interval): number {
  return a.start - b.start || a.end - b.end;
}

/** The silence between two intervals in ms, 0 when they overlap or share an instant. */
export function distance(a: Interval, b: Interval): number {
  return Math.max(0, a.start - b.end, b.start - a.end);
}

/** The length in ms of what two intervals share, 0 also when it is a single instant. */
export function overlapLength(a: Interval, b: Interval): number {
  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
}

/** Whether the silence between two intervals is no longer than the gap. */
export function touches(a: Interval, b: Interval, gapMs: number): boolean {
  return distance(a, b) <= gapMs;
}

/** The spans, in order, of intervals that follow one another with no silence longer than the gap. */
export function mergeIntervals(intervals: Iterable<Interval>, gapMs: number): Interval[] {
  const spans: Interval[] = [];
  let latest: Interval | undefined;
  for (const { start, end } of [...intervals].sort(compareIntervals)) {
    if (latest !== undefined && start <= latest.end + gapMs) {
      latest.end = Math.max(latest.end, end);
      continue;
    }
    latest = { start, end };
    spans.push(latest);
  }
  return spans;
}

/** The least interval that holds all of these. */
export function cover(parts: readonly Interval[]): Interval {
  return {
    start: Math.min(...parts.map((part) => part.start)),
    end: Math.max(...parts.map((part) => part.end)),
  };
}
