import type { Report } from '../report-contents.js';
import { writeShortDay } from '../write-dates.js';
import { writeNote } from './heading.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';
import { writeCount, writeCounted, writeDuration } from './write-numbers.js';

/** A number and what it counts. */
export interface SummaryLine {
  readonly label: string;
  readonly value: string;
}

const hourWords = (hour: number) => `${String(hour).padStart(2, '0')}:00–${String(hour).padStart(2, '0')}:59`;

/** The first of those that have the most. */
function best<T>(items: readonly T[], of: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>(
    (top, item) => (top === undefined || of(item) > of(top) ? item : top),
    undefined,
  );
}

/** The numbers that stand large. */
export function summaryFigures({ totals, species }: Report): SummaryLine[] {
  const isNew = species.filter((kind) => kind.isNew).length;
  return [
    { label: totals.visits === 1 ? 'visit' : 'visits', value: writeCount(totals.visits) },
    { label: 'species', value: writeCount(species.length) },
    { label: 'new here', value: writeCount(isNew) },
    { label: totals.individuals === 1 ? 'bird *' : 'birds *', value: writeCount(totals.individuals) },
  ];
}

/** The other numbers of the whole period. */
export function summaryLines({ totals, species, days }: Report): SummaryLine[] {
  const byHour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    visits: days.reduce((sum, { hours }) => sum + (hours[hour] ?? 0), 0),
  }));
  const day = best(days, ({ visits }) => visits);
  const hour = best(byHour, ({ visits }) => visits);
  const flock = best(species, ({ most }) => most);
  return [
    { label: 'Days with visits', value: `${totals.daysWithVisits} of ${days.length}` },
    { label: 'Recordings', value: writeCount(totals.recordings) },
    {
      label: 'Busiest day',
      value: day ? `${writeShortDay(day.day)}, ${writeCounted(day.visits, 'visit')}` : '–',
    },
    { label: 'Detections', value: writeCount(totals.detections) },
    {
      label: 'Busiest hour',
      value: hour ? `${hourWords(hour.hour)}, ${writeCounted(hour.visits, 'visit')}` : '–',
    },
    { label: 'All visits together', value: writeDuration(totals.durationMs) },
    { label: 'Most birds at once', value: flock ? `${flock.most}, ${flock.name}` : '–' },
    { label: 'Mean length of a visit', value: writeDuration(totals.durationMs / Math.max(1, totals.visits)) },
  ];
}

function writeFigures(sheet: Sheet, figures: readonly SummaryLine[]): void {
  const width = frame.width / figures.length;
  for (const [index, { label, value }] of figures.entries()) {
    const x = frame.left + index * width;
    sheet.group('TR', () => {
      sheet.piece('TD', () => sheet.set(value, x, sheet.y + 32, styles.figure));
      sheet.piece('TH', () => sheet.set(label, x, sheet.y + 46, styles.note), { scope: 'Row' });
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
    sheet.ornament(() => doc.rect(x, y, width, 0.5).fill(colours.rule));
    const short = sheet.shorten(value, room, styles.strong);
    sheet.group('TR', () => {
      sheet.piece('TH', () => sheet.set(label, x, baseline, labelStyle), { scope: 'Row' });
      sheet.piece('TD', () => sheet.set(short, x + width, baseline, styles.strong, 'right'));
    });
  }
  sheet.y += Math.ceil(lines.length / 2) * 18;
}

/** What happened to birds that nobody identified; undefined when there were none. */
export function genericNote(genericVisits: number): string | undefined {
  if (genericVisits === 0) return undefined;
  const isOne = genericVisits === 1;
  return `${writeCounted(genericVisits, 'more visit')} of birds that were not identified to species ${isOne ? 'is' : 'are'} left out of this report.`;
}

/** The period in numbers. */
export function writeSummary(sheet: Sheet, report: Report): void {
  sheet.group('Table', () => {
    writeFigures(sheet, summaryFigures(report));
    writeLines(sheet, summaryLines(report));
  });
  sheet.y += 6;
  const counted = '* The most seen at once of every visit, added up: a bird that comes twice counts twice.';
  writeNote(sheet, [counted, genericNote(report.totals.genericVisits)].filter(Boolean).join(' '));
}
