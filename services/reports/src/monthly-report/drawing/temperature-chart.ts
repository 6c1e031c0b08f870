import { fillText, type Units } from '@birdhub/domain/language';
import { type ReportFormat, temperatureUnit } from '../format.js';
import type { Report, ReportDay, ReportTemperature } from '../report.js';
import { type DayAxis, dayAxis, dayLabelsHeight, drawDayLabels, drawTick, scaleBetween } from './axis.js';
import type { Sheet } from './sheet.js';
import { colours, frame } from './theme.js';

/** A day with temperatures, and its index within the period. */
export interface MeasuredDay extends ReportTemperature {
  readonly index: number;
  readonly day: string;
}

const height = 92;

/** Writes the chart of the lowest, mean and highest temperature by day. */
export function writeTemperatureChart(sheet: Sheet, { days, units }: Report): void {
  const { format } = sheet;
  const runs = temperatureRuns(days);
  const measured = runs.flat();
  const heading = fillText(format.texts.headings.temperature, { unit: temperatureUnit(units) });
  sheet.heading(heading, measured.length ? height + dayLabelsHeight + 30 : 20);
  sheet.note(temperatureNote(measured, units, format), 2);
  if (!measured.length) return;
  const axis = dayAxis(days.length);
  const top = sheet.y + 8;
  const bottom = top + height;
  const scale = scaleBetween(
    Math.min(...measured.map(({ min }) => min)),
    Math.max(...measured.map(({ max }) => max)),
    6,
  );
  const yOf = (degrees: number) => bottom - ((degrees - scale.min) / (scale.max - scale.min)) * height;
  const draw = () => {
    for (const tick of scale.ticks) drawTick(sheet, axis, format.tick(tick), yOf(tick));
    for (const run of runs) drawRun(sheet, axis, run, yOf);
    drawDayLabels(sheet, axis, days, bottom);
  };
  sheet.element('Figure', draw, {
    alt: altOf(measured, units, format),
    bbox: [frame.left, top, frame.right, bottom + dayLabelsHeight],
  });
  sheet.y = bottom + dayLabelsHeight;
}

/** Returns the days with temperatures, in runs without gaps. */
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

/** Returns a sentence about the temperatures of the period. */
export function temperatureNote(
  measured: readonly MeasuredDay[],
  units: Units,
  format: ReportFormat,
): string {
  const { texts } = format;
  const [first] = measured;
  if (!first) return texts.noTemperatures;
  const coldest = measured.reduce((lowest, day) => (day.min < lowest.min ? day : lowest), first);
  const warmest = measured.reduce((highest, day) => (day.max > highest.max ? day : highest), first);
  const mean = measured.reduce((sum, day) => sum + day.mean, 0) / measured.length;
  return fillText(texts.temperatures, {
    mean: format.temperature(mean, units),
    min: format.temperature(coldest.min, units),
    minDay: format.shortDay(coldest.day),
    max: format.temperature(warmest.max, units),
    maxDay: format.shortDay(warmest.day),
  });
}

function altOf(measured: readonly MeasuredDay[], units: Units, format: ReportFormat): string {
  const text = measured.map(({ day, min, mean, max }) => {
    const temperatures = [min, mean, max].map((degrees) => format.temperature(degrees, units));
    return `${format.days(day)} ${temperatures.join(', ')}`;
  });
  return `${format.texts.described.temperatures} ${text.join('; ')}`;
}

/** A run of a single day is drawn as a short segment, so that it is visible. */
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
    (half ? [-half, half] : [0]).map((offset) => ({ ...day, x: middle(day) + offset })),
  );
  const upper = points.map(({ x, max }) => [x, yOf(max)]);
  const lower = points.map(({ x, min }) => [x, yOf(min)]).reverse();
  doc.polygon(...upper, ...lower).fill(colours.band);
  for (const [index, { x, mean }] of points.entries()) {
    if (index === 0) doc.moveTo(x, yOf(mean));
    else doc.lineTo(x, yOf(mean));
  }
  doc.lineWidth(1.4).lineJoin('round').stroke(colours.signal);
}
