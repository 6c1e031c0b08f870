import { fillText } from '@birdhub/domain/language';
import type { ReportFormat } from '../format.js';
import type { Report, ReportSpecies } from '../report.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';

/** A number and its label. */
export interface SummaryLine {
  readonly label: string;
  readonly value: string;
}

/** Writes the totals of the period. */
export function writeSummary(sheet: Sheet, report: Report): void {
  const { format } = sheet;
  sheet.group('Table', () => {
    writeFigures(sheet, summaryFigures(report, format));
    writeLines(sheet, summaryLines(report, format));
  });
  sheet.y += 6;
  const { birdsNote } = format.texts;
  sheet.note([birdsNote, genericNote(report.totals.genericVisits, format)].filter(Boolean).join(' '));
}

/** Returns the numbers in large type. */
export function summaryFigures({ totals, species }: Report, format: ReportFormat): SummaryLine[] {
  const { newHere, birds } = format.texts;
  const newCount = species.filter(({ isNew }) => isNew).length;
  return [
    { label: format.noun('visits', totals.visits), value: format.count(totals.visits) },
    { label: format.noun('species', species.length), value: format.count(species.length) },
    { label: newHere, value: format.count(newCount) },
    { label: format.plural(birds, totals.individuals), value: format.count(totals.individuals) },
  ];
}

/** Returns the other numbers of the period. */
export function summaryLines({ totals, species, days }: Report, format: ReportFormat): SummaryLine[] {
  const byHour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    visits: days.reduce((sum, { hours }) => sum + (hours[hour] ?? 0), 0),
  }));
  const day = findMax(days, ({ visits }) => visits);
  const hour = findMax(byHour, ({ visits }) => visits);
  const flock = findMax(species, ({ maxSimultaneous }) => maxSimultaneous);
  const { summary, daysOf } = format.texts;
  const part = format.count(totals.daysWithVisits);
  return [
    { label: summary.daysWithVisits, value: fillText(daysOf, { part, whole: days.length }) },
    { label: summary.recordings, value: format.count(totals.recordings) },
    {
      label: summary.busiestDay,
      value: day ? `${format.shortDay(day.day)}, ${format.visits(day.visits)}` : '–',
    },
    { label: summary.detections, value: format.count(totals.detections) },
    {
      label: summary.busiestHour,
      value: hour ? `${formatHour(hour.hour)}, ${format.visits(hour.visits)}` : '–',
    },
    { label: summary.allVisits, value: format.duration(totals.durationMs) },
    { label: summary.mostAtOnce, value: flock ? `${flock.maxSimultaneous}, ${flock.name}` : '–' },
    { label: summary.meanVisit, value: format.duration(totals.durationMs / Math.max(1, totals.visits)) },
  ];
}

/** Returns the first item with the highest value. */
function findMax<T>(items: readonly T[], pick: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (best, item) => (best === undefined || pick(item) > pick(best) ? item : best),
    undefined,
  );
}

/** `07:00–07:59` */
function formatHour(hour: number): string {
  const digits = String(hour).padStart(2, '0');
  return `${digits}:00–${digits}:59`;
}

/** Returns a note about excluded visits of generic species; undefined when there are none. */
export function genericNote(genericVisits: number, format: ReportFormat): string | undefined {
  return genericVisits === 0 ? undefined : format.plural(format.texts.genericNote, genericVisits);
}

function writeFigures(sheet: Sheet, figures: readonly SummaryLine[]): void {
  const width = frame.width / figures.length;
  for (const [index, { label, value }] of figures.entries()) {
    const x = frame.left + index * width;
    sheet.group('TR', () => {
      sheet.element('TD', () => sheet.set(value, x, sheet.y + 32, styles.figure));
      sheet.element('TH', () => sheet.set(label, x, sheet.y + 46, styles.note), { scope: 'Row' });
    });
  }
  sheet.y += 60;
}

function writeLines(sheet: Sheet, lines: readonly SummaryLine[]): void {
  const { doc } = sheet;
  const labelStyle = { ...styles.body, colour: colours.muted };
  const gap = 28;
  const width = (frame.width - gap) / 2;
  for (const [index, { label, value }] of lines.entries()) {
    const x = frame.left + (index % 2) * (width + gap);
    const y = sheet.y + Math.floor(index / 2) * 18;
    const baseline = y + 12.5;
    const room = width - sheet.measure(label, styles.body) - 12;
    sheet.artifact(() => doc.rect(x, y, width, 0.5).fill(colours.rule));
    const short = sheet.shorten(value, room, styles.strong);
    sheet.group('TR', () => {
      sheet.element('TH', () => sheet.set(label, x, baseline, labelStyle), { scope: 'Row' });
      sheet.element('TD', () => sheet.set(short, x + width, baseline, styles.strong, 'right'));
    });
  }
  sheet.y += Math.ceil(lines.length / 2) * 18;
}

const maxNewNames = 12;
const maxNewLines = 8;

/** Writes the species that were seen for the first time ever. */
export function writeNewSpecies(sheet: Sheet, { species }: Report): void {
  const { format } = sheet;
  sheet.heading(format.texts.headings.isNew, 40);
  sheet.note(newSpeciesNote(species, format), maxNewLines, styles.body);
}

/** Returns the names of the new species, in order of arrival. */
export function newSpeciesNote(species: readonly ReportSpecies[], format: ReportFormat): string {
  const { nothingNew, moreNew } = format.texts;
  const found = species.filter(({ isNew }) => isNew);
  if (!found.length) return nothingNew;
  const order = ({ first }: ReportSpecies) => `${first.day} ${first.time}`;
  const names = found
    .toSorted((one, other) => order(one).localeCompare(order(other)))
    .slice(0, maxNewNames)
    .map(({ name, first }) => `${name} (${format.shortDay(first.day)})`)
    .join(', ');
  const more = found.length - maxNewNames;
  return more > 0 ? format.plural(moreNew, more, { names }) : `${names}.`;
}
