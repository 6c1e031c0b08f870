import type { Report, ReportDay } from '../report-contents.js';
import { writeDays, writeShortDay } from '../write-dates.js';
import { scaleBetween } from './axis.js';
import { type DayAxis, dayAxis, dayLabelsHeight, drawDayLabels, drawTick } from './day-axis.js';
import { writeHeading, writeNote } from './heading.js';
import type { Sheet } from './sheet.js';
import { colours, frame } from './theme.js';
import { writeTemperature, writeTick } from './write-numbers.js';

/** A day on which the temperature was measured; days are counted from the first of the period. */
export interface MeasuredDay {
  readonly index: number;
  readonly day: string;
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

const height = 92;

/** The days with temperatures, in runs without a gap. */
export function temperatureRuns(days: readonly ReportDay[]): MeasuredDay[][] {
  const runs: MeasuredDay[][] = [];
  for (const [index, { day, temperature }] of days.entries()) {
    if (!temperature) continue;
    const measured = { index, day, ...temperature };
    const run = runs.at(-1);
    if (run?.at(-1)?.index === index - 1) run.push(measured);
    else runs.push([measured]);
  }
  return runs;
}

/** The temperatures of the period in a sentence. */
export function temperatureNote(measured: readonly MeasuredDay[]): string {
  const [first] = measured;
  if (!first) return 'No temperatures were recorded.';
  const coldest = measured.reduce((least, day) => (day.least < least.least ? day : least), first);
  const warmest = measured.reduce((most, day) => (day.most > most.most ? day : most), first);
  const mean = measured.reduce((sum, day) => sum + day.mean, 0) / measured.length;
  return (
    `Mean of the days ${writeTemperature(mean)}; lowest ${writeTemperature(coldest.least)} on ${writeShortDay(coldest.day)}, ` +
    `highest ${writeTemperature(warmest.most)} on ${writeShortDay(warmest.day)}. ` +
    'The line is the mean of each day, the band reaches from its lowest to its highest.'
  );
}

function altOf(measured: readonly MeasuredDay[]): string {
  const text = measured.map(
    ({ day, least, mean, most }) =>
      `${writeDays(day, day)} ${[least, mean, most].map(writeTemperature).join(', ')}`,
  );
  return `Line chart of the lowest, mean and highest temperature by day. ${text.join('; ')}`;
}

/** A day alone is a short stretch of its column, so that it can be seen. */
function drawRun(
  sheet: Sheet,
  axis: DayAxis,
  run: readonly MeasuredDay[],
  yOf: (degrees: number) => number,
): void {
  const { doc } = sheet;
  const half = run.length === 1 ? axis.columnWidth * 0.36 : 0;
  const middle = ({ index }: MeasuredDay) => axis.xOf(index) + axis.columnWidth / 2;
  const points = run.flatMap((day) =>
    (half ? [-half, half] : [0]).map((aside) => ({ ...day, x: middle(day) + aside })),
  );
  const upper = points.map(({ x, most }) => [x, yOf(most)]);
  const lower = points.map(({ x, least }) => [x, yOf(least)]).reverse();
  doc.polygon(...upper, ...lower).fill(colours.band);
  for (const [index, { x, mean }] of points.entries()) {
    if (index === 0) doc.moveTo(x, yOf(mean));
    else doc.lineTo(x, yOf(mean));
  }
  doc.lineWidth(1.4).lineJoin('round').stroke(colours.signal);
}

/** Mean, lowest and highest temperature by day. */
export function writeTemperatureChart(sheet: Sheet, { days }: Report): void {
  const runs = temperatureRuns(days);
  const measured = runs.flat();
  writeHeading(sheet, 'Temperature in °C', measured.length ? height + dayLabelsHeight + 30 : 20);
  writeNote(sheet, temperatureNote(measured), 2);
  if (!measured.length) return;
  const axis = dayAxis(days.length);
  const top = sheet.y + 8;
  const bottom = top + height;
  const lows = measured.map(({ least }) => least);
  const scale = scaleBetween(Math.min(...lows), Math.max(...measured.map(({ most }) => most)), 6);
  const yOf = (degrees: number) => bottom - ((degrees - scale.least) / (scale.most - scale.least)) * height;
  const draw = () => {
    for (const tick of scale.ticks) drawTick(sheet, axis, writeTick(tick), yOf(tick));
    for (const run of runs) drawRun(sheet, axis, run, yOf);
    drawDayLabels(sheet, axis, days, bottom);
  };
  sheet.piece('Figure', draw, {
    alt: altOf(measured),
    bbox: [frame.left, top, frame.right, bottom + dayLabelsHeight],
  });
  sheet.y = bottom + dayLabelsHeight;
}
