import type { ReportDay } from '../report.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';

/** The values of an axis, from its first to its last tick. */
export interface Scale {
  readonly min: number;
  readonly max: number;
  readonly ticks: readonly number[];
}

/** The positions of days in a chart; charts with the same number of days are aligned. */
export interface DayAxis {
  readonly left: number;
  readonly right: number;
  readonly columnWidth: number;
  /** Returns the left edge of a day's column. */
  xOf(index: number): number;
}

const scaleWidth = 34;
const maxColumnWidth = 30;
/** The height of the labels below a chart. */
export const dayLabelsHeight = 24;

/** Returns an axis with a number of days across the page. */
export function dayAxis(count: number): DayAxis {
  const left = frame.left + scaleWidth;
  const columnWidth = Math.min(maxColumnWidth, (frame.right - left) / count);
  return {
    left,
    right: left + columnWidth * count,
    columnWidth,
    xOf: (index) => left + index * columnWidth,
  };
}

/** Draws the days below a chart, and below them the names of months where they begin. */
export function drawDayLabels(sheet: Sheet, axis: DayAxis, days: readonly ReportDay[], y: number): void {
  const { xOf, columnWidth } = axis;
  for (const index of labelColumns(days.length, columnWidth, 12)) {
    const number = String(Number(days[index]?.day.slice(8)));
    sheet.set(number, xOf(index) + columnWidth / 2, y + 9, styles.chart, 'centre');
  }
  const months = days.flatMap(({ day }, index) =>
    index === 0 || day.endsWith('-01') ? [{ day, x: xOf(index) }] : [],
  );
  for (const [index, { day, x }] of months.entries()) {
    const next = months[index + 1]?.x ?? frame.right;
    if (next - x >= 20)
      sheet.set(sheet.format.shortMonth(day), x + Math.min(columnWidth, 12) / 4, y + 18.5, styles.chart);
  }
}

/** Draws a tick line across a chart with its label. */
export function drawTick(sheet: Sheet, axis: DayAxis, text: string, y: number): void {
  sheet.doc.rect(axis.left, y - 0.25, axis.right - axis.left, 0.5).fill(colours.hairline);
  sheet.set(text, axis.left - 5, y + 2.5, styles.chart, 'right');
}

/** Returns a scale of round integers that contains two values. */
export function scaleBetween(min: number, max: number, maxSteps: number): Scale {
  const step = roundStep(Math.max(max - min, 1), maxSteps);
  const first = Math.floor(min / step);
  const last = Math.max(Math.ceil(max / step), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: first * step, max: last * step, ticks };
}

const roundSteps = [1, 2, 5, 10];

/**
 * Returns the smallest integer step of 1, 2 or 5 times a power of ten that divides a length into at most `maxSteps`.
 */
function roundStep(length: number, maxSteps: number): number {
  const min = length / maxSteps;
  const power = 10 ** Math.floor(Math.log10(Math.max(min, 1)));
  return power * (roundSteps.find((step) => step * power >= min) ?? 10);
}

const daySteps = [1, 2, 3, 7, 14, 28];

/** Returns the columns with a label, far enough apart that labels do not touch. */
export function labelColumns(count: number, columnWidth: number, labelWidth: number): number[] {
  const step = daySteps.find((days) => days * columnWidth >= labelWidth) ?? count;
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}
