import { UTC_DAY_MS } from './calendar-day.js';
import type { TimeWindow } from './zone.js';
import { pieceOf } from './zone-offset.js';

/** A stretch of time in which the clock of a zone keeps one offset; it ends where the next begins. */
export interface OffsetSpan {
  readonly start: number;
  /** What the clock shows minus UTC, in ms. */
  readonly offsetMs: number;
}

/** The stretches of a zone's clock that a window meets, in order; the first starts with the window or before it. */
export function offsetSpans(zone: string, { start, end }: TimeWindow): OffsetSpan[] {
  const spans: OffsetSpan[] = [];
  for (let utcDay = Math.floor(start / UTC_DAY_MS); utcDay * UTC_DAY_MS < end; utcDay += 1) {
    const piece = pieceOf(zone, utcDay);
    for (const span of [
      { start: piece.start, offsetMs: piece.before },
      { start: piece.change, offsetMs: piece.after },
    ]) {
      if (span.start < piece.end && span.offsetMs !== spans.at(-1)?.offsetMs) spans.push(span);
    }
  }
  return spans;
}
