import { formatCount, formatCounted, formatDuration, formatShortDay } from '../format.js';
import type { Report, ReportSpecies } from '../report.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';

/** A number and what it counts. */
export interface SummaryLine {
  readonly label: string;
  readonly value: string;
}

/** Writes the totals of the period. */
export function writeSummary(sheet: Sheet, report: Report): void {
  sheet.group('Table', () => {
    writeFigures(sheet, summaryFigures(report));
    writeLines(sheet, summaryLines(report));
  });
  sheet.y += 6;
  const counted = '* The most seen at once of every visit, added up: a bird that comes twice counts twice.';
  sheet.note([counted, genericNote(report.totals.genericVisits)].filter(Boolean).join(' '));
}

/** The numbers in large type. */
export function summaryFigures({ totals, species }: Report): SummaryLine[] {
  const newCount = species.filter(({ isNew }) => isNew).length;
  return [
    { label: totals.visits === 1 ? 'visit' : 'visits', value: formatCount(totals.visits) },
    { label: 'species', value: formatCount(species.length) },
    { label: 'new here', value: formatCount(newCount) },
    { label: totals.individuals === 1 ? 'bird *' : 'birds *', value: formatCount(totals.individuals) },
  ];
}

/** The other numbers of the whole period. */
export function summaryLines({ totals, species, days }: Report): SummaryLine[] {
  const byHour = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    visits: days.reduce((sum, { hours }) => sum + (hours[hour] ?? 0), 0),
  }));
  const day = findMax(days, ({ visits }) => visits);
  const hour = findMax(byHour, ({ visits }) => visits);
  const flock = findMax(species, ({ maxAtOnce }) => maxAtOnce);
  return [
    { label: 'Days with visits', value: `${totals.daysWithVisits} of ${days.length}` },
    { label: 'Recordings', value: formatCount(totals.recordings) },
    {
      label: 'Busiest day',
      value: day ? `${formatShortDay(day.day)}, ${formatCounted(day.visits, 'visit')}` : '–',
    },
    { label: 'Detections', value: formatCount(totals.detections) },
    {
      label: 'Busiest hour',
      value: hour ? `${formatHour(hour.hour)}, ${formatCounted(hour.visits, 'visit')}` : '–',
    },
    { label: 'All visits together', value: formatDuration(totals.durationMs) },
    { label: 'Most birds at once', value: flock ? `${flock.maxAtOnce}, ${flock.name}` : '–' },
    {
      label: 'Mean length of a visit',
      value: formatDuration(totals.durationMs / Math.max(1, totals.visits)),
    },
  ];
}

/** The first of the items with the highest value. */
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

/** Says how many visits of generic species are left out; undefined when there are none. */
export function genericNote(genericVisits: number): string | undefined {
  if (genericVisits === 0) return undefined;
  const verb = genericVisits === 1 ? 'is' : 'are';
  return `${formatCounted(genericVisits, 'more visit')} of birds that were not identified to species ${verb} left out of this report.`;
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

/** Writes which species were seen for the first time ever. */
export function writeNewSpecies(sheet: Sheet, { species }: Report): void {
  sheet.heading('Here for the first time', 40);
  sheet.note(newSpeciesNote(species), maxNewLines, styles.body);
}

/** The names of the new species, in the order in which they came. */
export function newSpeciesNote(species: readonly ReportSpecies[]): string {
  const found = species.filter(({ isNew }) => isNew);
  if (!found.length) return 'None: every species had been here before.';
  const order = ({ first }: ReportSpecies) => `${first.day} ${first.time}`;
  const named = found
    .toSorted((one, other) => order(one).localeCompare(order(other)))
    .slice(0, maxNewNames)
    .map(({ name, first }) => `${name} (${formatShortDay(first.day)})`);
  const more = found.length - named.length;
  return `${named.join(', ')}${more ? ` and ${formatCount(more)} more, marked in the tables` : ''}.`;
}
