import { dayMs, type TimeWindow } from '@birdhub/shared/time';

const maxSliceMs = 31 * dayMs;
const minSliceMs = 60_000;
const targetRows = 24_000;

/** Splits a window into slices from its end to its start; the first is a day long. */
export class TimeSlices {
  readonly #start: number;
  #end: number;
  #lengthMs = dayMs;

  constructor({ start, end }: TimeWindow) {
    this.#start = start;
    this.#end = end;
  }

  /** Returns the next slice; undefined at the start of the window. */
  next(): TimeWindow | undefined {
    if (this.#end <= this.#start) return undefined;
    const slice = { start: Math.max(this.#start, this.#end - this.#lengthMs), end: this.#end };
    this.#end = slice.start;
    return slice;
  }

  /** Adapts the length of further slices to the number of rows in one. */
  adapt({ start, end }: TimeWindow, rows: number): void {
    const factor = Math.min(4, Math.max(0.25, targetRows / Math.max(rows, 1)));
    this.#lengthMs = Math.min(maxSliceMs, Math.max(minSliceMs, Math.round((end - start) * factor)));
  }
}
