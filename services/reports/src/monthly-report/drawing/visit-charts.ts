import type { ReportFormat } from '../format.js';
import type { Report } from '../report.js';
import { dayAxis, dayLabelsHeight, drawDayLabels, drawTick, scaleBetween } from './axis.js';
import type { Sheet } from './sheet.js';
import { colours, frame, heat, styles } from './theme.js';

const dayChartHeight = 118;

/** Writes the bar chart of visits by day. */
export function writeDayChart(sheet: Sheet, { days }: Report): void {
  const { doc, format } = sheet;
  const axis = dayAxis(days.length);
  sheet.heading(format.texts.headings.days, dayChartHeight + dayLabelsHeight);
  const top = sheet.y + 6;
  const bottom = top + dayChartHeight;
  const scale = scaleBetween(0, Math.max(...days.map(({ visits }) => visits)), 5);
  const yOf = (visits: number) => bottom - (visits / scale.max) * dayChartHeight;
  const barWidth = axis.columnWidth * 0.72;
  const draw = () => {
    for (const tick of scale.ticks) drawTick(sheet, axis, format.count(tick), yOf(tick));
    for (const [index, { visits }] of days.entries()) {
      if (visits === 0) continue;
      const x = axis.xOf(index) + (axis.columnWidth - barWidth) / 2;
      doc.rect(x, yOf(visits), barWidth, bottom - yOf(visits)).fill(colours.bar);
    }
    doc.rect(axis.left, bottom - 0.4, axis.right - axis.left, 0.8).fill(colours.muted);
    drawDayLabels(sheet, axis, days, bottom);
  };
  const values = days.filter(({ visits }) => visits > 0);
  const text = values.map(({ day, visits }) => `${format.days(day)} ${format.count(visits)}`).join('; ');
  sheet.element('Figure', draw, {
    alt: `${format.texts.described.days} ${text}`,
    bbox: [frame.left, top, frame.right, bottom + dayLabelsHeight],
  });
  sheet.y = bottom + dayLabelsHeight;
}

const hours = Array.from({ length: 24 }, (_, hour) => hour);
const hourHeight = 9;
const heatMapHeight = hours.length * hourHeight;
const swatch = { width: 16, height: 8 };

/** Writes the heat map of visits by day and local hour. */
export function writeHeatMap(sheet: Sheet, { days }: Report): void {
  const { doc, format } = sheet;
  const axis = dayAxis(days.length);
  sheet.heading(format.texts.headings.hours, heatMapHeight + dayLabelsHeight + 20);
  const top = sheet.y + 6;
  const bottom = top + heatMapHeight;
  const max = Math.max(...days.flatMap((day) => day.hours));
  const drawHour = (x: number, hour: number, visits: number) => {
    const colour = heat[heatStep(visits, max)];
    if (colour === undefined) return;
    const y = top + hour * hourHeight;
    doc.rect(x + 0.4, y + 0.4, axis.columnWidth - 0.8, hourHeight - 0.8).fill(colour);
  };
  const draw = () => {
    doc.rect(axis.left, top, axis.right - axis.left, heatMapHeight).fill(colours.paper);
    for (const [index, day] of days.entries())
      for (const hour of hours) drawHour(axis.xOf(index), hour, day.hours[hour] ?? 0);
    for (const hour of hours.filter((number) => number % 3 === 0)) {
      const label = `${String(hour).padStart(2, '0')}:00`;
      sheet.set(label, axis.left - 5, top + hour * hourHeight + 7, styles.chart, 'right');
    }
    drawDayLabels(sheet, axis, days, bottom);
    drawHeatLegend(sheet, max, bottom + dayLabelsHeight);
  };
  const byHour = hours.map((hour) => days.reduce((sum, day) => sum + (day.hours[hour] ?? 0), 0));
  const text = byHour
    .flatMap((visits, hour) => (visits ? [`${hour}:00 ${format.count(visits)}`] : []))
    .join('; ');
  const end = bottom + dayLabelsHeight + swatch.height;
  sheet.element('Figure', draw, {
    alt: `${format.texts.described.hours} ${text}`,
    bbox: [frame.left, top, frame.right, end],
  });
  sheet.y = end;
}

function drawHeatLegend(sheet: Sheet, max: number, y: number): void {
  const { format } = sheet;
  let x = frame.right;
  for (const { first, last, step } of heatSteps(max).toReversed()) {
    const text = first === last ? format.count(first) : `${format.count(first)}–${format.count(last)}`;
    const width = sheet.measure(text, styles.chart);
    sheet.set(text, x, y + 7, styles.chart, 'right');
    sheet.doc
      .rect(x - width - 4 - swatch.width, y, swatch.width, swatch.height)
      .fill(heat[step] ?? colours.ink);
    x -= width + swatch.width + 14;
  }
  sheet.set(format.texts.visitsInAnHour, x, y + 7, styles.chart, 'right');
}

/** Returns the colour step of a number of visits, linear up to the maximum; -1 for none. */
export function heatStep(visits: number, max: number): number {
  return visits <= 0 ? -1 : Math.min(heat.length - 1, Math.ceil((visits / max) * heat.length) - 1);
}

/** Returns the range of visits of each colour step; empty steps are omitted. */
export function heatSteps(max: number): { first: number; last: number; step: number }[] {
  const numbers = heat.map((_, step) => ({
    step,
    first: Math.floor((max * step) / heat.length) + 1,
    last: Math.floor((max * (step + 1)) / heat.length),
  }));
  return numbers.filter(({ first, last }) => first <= last);
}

/** A bar of the chart of species. */
export interface SpeciesBar {
  readonly name: string;
  readonly visits: number;
}

const maxBars = 20;
const bar = { rowHeight: 14.5, height: 9, labelWidth: 150, valueWidth: 44 };

/** Writes the bar chart of visits by species. */
export function writeSpeciesBars(sheet: Sheet, { species }: Report): void {
  const { doc, format } = sheet;
  const bars = speciesBars(species, format);
  const height = bars.length * bar.rowHeight;
  sheet.heading(format.texts.headings.species, height + 24);
  const top = sheet.y + 6;
  const bottom = top + height;
  const left = frame.left + bar.labelWidth + 8;
  const width = frame.right - bar.valueWidth - left;
  const scale = scaleBetween(0, Math.max(...bars.map(({ visits }) => visits)), 6);
  const widthOf = (visits: number) => (visits / scale.max) * width;
  const draw = () => {
    for (const tick of scale.ticks) {
      doc.rect(left + widthOf(tick) - 0.25, top, 0.5, height).fill(colours.hairline);
      sheet.set(format.count(tick), left + widthOf(tick), bottom + 10, styles.chart, 'centre');
    }
    for (const [index, { name, visits }] of bars.entries()) {
      const middle = top + (index + 0.5) * bar.rowHeight;
      const label = sheet.shorten(name, bar.labelWidth, styles.body);
      sheet.set(label, left - 8, middle + 3.2, styles.body, 'right');
      doc.rect(left, middle - bar.height / 2, Math.max(0.8, widthOf(visits)), bar.height).fill(colours.bar);
      sheet.set(format.count(visits), left + widthOf(visits) + 5, middle + 2.8, styles.chartValue);
    }
    doc.rect(left - 0.4, top, 0.8, height).fill(colours.muted);
  };
  const text = bars.map(({ name, visits }) => `${name}: ${format.visits(visits)}`).join('; ');
  sheet.element('Figure', draw, {
    alt: `${format.texts.described.species} ${text}`,
    bbox: [frame.left, top, frame.right, bottom + 14],
  });
  sheet.y = bottom + 14;
}

/** Returns the most frequent species, and all others in the last bar. */
export function speciesBars(species: readonly SpeciesBar[], format: ReportFormat): SpeciesBar[] {
  if (species.length <= maxBars) return [...species];
  const others = species.slice(maxBars - 1);
  const visits = others.reduce((sum, other) => sum + other.visits, 0);
  return [
    ...species.slice(0, maxBars - 1),
    { name: format.plural(format.texts.otherSpecies, others.length), visits },
  ];
}
