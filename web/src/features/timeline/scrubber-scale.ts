import type { Day } from '../../lib/days';
import { dayIndexAt, type TimelineLayout } from './timeline-layout';

/** A label or a dot at the edge; `at` is a share of the list from its top. */
export interface ScrubberMark {
  readonly month: string;
  readonly at: number;
  /** The year where its first mark is, as far as there is room; undefined for a dot. */
  readonly year: string | undefined;
}

/** Returns the day at a share, 0 to 1, of the list; undefined for an empty list. */
export function dayAtShare(layout: TimelineLayout, share: number): Day | undefined {
  return layout.days[dayIndexAt(layout, Math.round(share * layout.height))]?.day;
}

/** Returns where a day is as a share of the list. */
export function shareOfIndex({ days, height }: TimelineLayout, index: number): number {
  const top = days[index]?.top;
  return top === undefined || height === 0 ? 0 : top / height;
}

/** Smallest distance between labels and between dots, in px. */
const minLabelDistance = 26;
const minDotDistance = 7;

/** Marks of the months of a list, newest first, that fit into so many px. */
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
