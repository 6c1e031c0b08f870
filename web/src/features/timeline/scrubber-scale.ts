import type { Day } from '../../lib/days';
import { dayIndexAt, type TimelineLayout } from './timeline-layout';

/** A label or a dot on the scrubber; `at` is the position in the list, from 0 at its top to 1. */
export interface ScrubberMark {
  readonly month: string;
  readonly at: number;
  /** Set on the first mark of a year if there is space for the label; undefined for a dot. */
  readonly year: string | undefined;
}

/** Returns the day at a position (0 to 1) in the list; undefined for an empty list. */
export function dayAtShare(layout: TimelineLayout, share: number): Day | undefined {
  return layout.days[dayIndexAt(layout, Math.round(share * layout.height))]?.day;
}

/** Returns the position (0 to 1) of a day in the list. */
export function shareOfIndex({ days, height }: TimelineLayout, index: number): number {
  const top = days[index]?.top;
  return top === undefined || height === 0 ? 0 : top / height;
}

/** Smallest distance between labels and between dots, in px. */
const minLabelDistance = 26;
const minDotDistance = 7;

/** Returns the marks of the months of a list, newest first, that fit into a height in px. */
export function marksOf({ days, height }: TimelineLayout, pixels: number): ScrubberMark[] {
  const marks: ScrubberMark[] = [];
  let lastLabel = Number.NEGATIVE_INFINITY;
  let lastDot = Number.NEGATIVE_INFINITY;
  let month = '';
  let labelledYear = '';
  for (const { day, top } of days) {
    if (day.startsWith(month) && month !== '') continue;
    month = day.slice(0, 7);
    const at = height === 0 ? 0 : top / height;
    const y = at * pixels;
    const year = month.slice(0, 4);
    if (year !== labelledYear && y - lastLabel >= minLabelDistance) {
      marks.push({ month, at, year });
      labelledYear = year;
      lastLabel = y;
      lastDot = y + minDotDistance;
    } else if (y - lastDot >= minDotDistance && y - lastLabel >= minLabelDistance / 2) {
      marks.push({ month, at, year: undefined });
      lastDot = y;
    }
  }
  return marks;
}
