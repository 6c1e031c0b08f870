import type { Report } from '../report-contents.js';
import { heatStep } from './axis.js';
import { dayAxis, dayLabelsHeight, drawDayLabels } from './day-axis.js';
import { writeHeading } from './heading.js';
import type { Sheet } from './sheet.js';
import { colours, frame, heat, styles } from './theme.js';
import { writeCount } from './write-numbers.js';

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const rowHeight = 9;
const height = hours.length * rowHeight;
const swatch = { width: 16, height: 8 };

/** The first and the last number of each step of colour. */
export function heatSteps(most: number): { first: number; last: number; step: number }[] {
  const numbers = heat.map((_, step) => ({
    step,
    first: Math.floor((most * step) / heat.length) + 1,
    last: Math.floor((most * (step + 1)) / heat.length),
  }));
  return numbers.filter(({ first, last }) => first <= last);
}

function drawLegend(sheet: Sheet, most: number, y: number): void {
  const steps = heatSteps(most);
  let x = frame.right;
  for (const { first, last, step } of steps.toReversed()) {
    const text = first === last ? writeCount(first) : `${writeCount(first)}–${writeCount(last)}`;
    const width = sheet.measure(text, styles.chart);
    sheet.set(text, x, y + 7, styles.chart, 'right');
    sheet.doc
      .rect(x - width - 4 - swatch.width, y, swatch.width, swatch.height)
      .fill(heat[step] ?? colours.ink);
    x -= width + swatch.width + 14;
  }
  sheet.set('Visits in an hour', x, y + 7, styles.chart, 'right');
}

function altOf({ days }: Report): string {
  const byHour = hours.map((hour) => days.reduce((sum, day) => sum + (day.hours[hour] ?? 0), 0));
  const text = byHour
    .flatMap((visits, hour) => (visits ? [`${hour}:00 ${writeCount(visits)}`] : []))
    .join('; ');
  return `Heat map of visits by day and hour. Of all days together, by hour: ${text}`;
}

/** Visits by day and hour of the clock on the wall. */
export function writeHeatMap(sheet: Sheet, report: Report): void {
  const { days } = report;
  const { doc } = sheet;
  const axis = dayAxis(days.length);
  writeHeading(sheet, 'Hours of the day', height + dayLabelsHeight + 20);
  const top = sheet.y + 6;
  const bottom = top + height;
  const most = Math.max(...days.flatMap((day) => day.hours));
  const draw = () => {
    doc.rect(axis.left, top, axis.right - axis.left, height).fill(colours.paper);
    for (const [index, day] of days.entries()) {
      for (const hour of hours) {
        const colour = heat[heatStep(day.hours[hour] ?? 0, most, heat.length)];
        if (colour === undefined) continue;
        doc
          .rect(axis.xOf(index) + 0.4, top + hour * rowHeight + 0.4, axis.columnWidth - 0.8, rowHeight - 0.8)
          .fill(colour);
      }
    }
    for (const hour of hours.filter((number) => number % 3 === 0))
      sheet.set(
        `${String(hour).padStart(2, '0')}:00`,
        axis.left - 5,
        top + hour * rowHeight + 7,
        styles.chart,
        'right',
      );
    drawDayLabels(sheet, axis, days, bottom);
    drawLegend(sheet, most, bottom + dayLabelsHeight);
  };
  const end = bottom + dayLabelsHeight + swatch.height;
  sheet.piece('Figure', draw, { alt: altOf(report), bbox: [frame.left, top, frame.right, end] });
  sheet.y = end;
}
