import type { Report } from '../report-contents.js';
import { writeDays } from '../write-dates.js';
import { scaleBetween } from './axis.js';
import { dayAxis, dayLabelsHeight, drawDayLabels, drawTick } from './day-axis.js';
import { writeHeading } from './heading.js';
import type { Sheet } from './sheet.js';
import { colours, frame } from './theme.js';
import { writeCount } from './write-numbers.js';

const height = 118;

function altOf({ days }: Report): string {
  const told = days.filter(({ visits }) => visits > 0);
  const text = told.map(({ day, visits }) => `${writeDays(day, day)} ${writeCount(visits)}`).join('; ');
  return `Bar chart of visits by day. ${text}`;
}

/** Visits by day. */
export function writeDayChart(sheet: Sheet, report: Report): void {
  const { days } = report;
  const { doc } = sheet;
  const axis = dayAxis(days.length);
  writeHeading(sheet, 'Visits by day', height + dayLabelsHeight);
  const top = sheet.y + 6;
  const bottom = top + height;
  const scale = scaleBetween(0, Math.max(...days.map(({ visits }) => visits)), 5);
  const yOf = (visits: number) => bottom - (visits / scale.most) * height;
  const barWidth = axis.columnWidth * 0.72;
  const draw = () => {
    for (const tick of scale.ticks) drawTick(sheet, axis, writeCount(tick), yOf(tick));
    for (const [index, { visits }] of days.entries()) {
      if (visits === 0) continue;
      const x = axis.xOf(index) + (axis.columnWidth - barWidth) / 2;
      doc.rect(x, yOf(visits), barWidth, bottom - yOf(visits)).fill(colours.bar);
    }
    doc.rect(axis.left, bottom - 0.4, axis.right - axis.left, 0.8).fill(colours.muted);
    drawDayLabels(sheet, axis, days, bottom);
  };
  sheet.piece('Figure', draw, {
    alt: altOf(report),
    bbox: [frame.left, top, frame.right, bottom + dayLabelsHeight],
  });
  sheet.y = bottom + dayLabelsHeight;
}
