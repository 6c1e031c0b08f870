import type { ReportDay } from '../report-contents.js';
import { writeMonthOf } from '../write-dates.js';
import { labelColumns } from './axis.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';

/** Where the days of a chart stand, so that charts under each other have the same day at the same place. */
export interface DayAxis {
  readonly left: number;
  readonly right: number;
  readonly columnWidth: number;
  /** The left edge of a day's column. */
  xOf(index: number): number;
}

const scaleWidth = 34;
const widestColumn = 30;
/** What the labels below a chart need. */
export const dayLabelsHeight = 24;

/** The axis of so many days across the page. */
export function dayAxis(count: number): DayAxis {
  const left = frame.left + scaleWidth;
  const columnWidth = Math.min(widestColumn, (frame.right - left) / count);
  return {
    left,
    right: left + columnWidth * count,
    columnWidth,
    xOf: (index) => left + index * columnWidth,
  };
}

/** Writes the days of the month below a chart, and below them the months where they begin. */
export function drawDayLabels(sheet: Sheet, axis: DayAxis, days: readonly ReportDay[], y: number): void {
  const { xOf, columnWidth } = axis;
  for (const index of labelColumns(days.length, columnWidth, 12)) {
    const number = String(Number(days[index]?.day.slice(8)));
    sheet.set(number, xOf(index) + columnWidth / 2, y + 9, styles.chart, 'centre');
  }
  const begins = days.flatMap(({ day }, index) =>
    index === 0 || day.endsWith('-01') ? [{ day, x: xOf(index) }] : [],
  );
  for (const [index, { day, x }] of begins.entries()) {
    const next = begins[index + 1]?.x ?? frame.right;
    if (next - x >= 20)
      sheet.set(writeMonthOf(day), x + Math.min(columnWidth, 12) / 4, y + 18.5, styles.chart);
  }
}

/** A line across a chart with its value before it. */
export function drawTick(sheet: Sheet, axis: DayAxis, text: string, y: number): void {
  sheet.doc.rect(axis.left, y - 0.25, axis.right - axis.left, 0.5).fill(colours.hairline);
  sheet.set(text, axis.left - 5, y + 2.5, styles.chart, 'right');
}
