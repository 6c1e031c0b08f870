import type { Report, ReportSpecies } from '../report-contents.js';
import { writeShortDay } from '../write-dates.js';
import { writeHeading, writeNote } from './heading.js';
import type { Sheet } from './sheet.js';
import { styles } from './theme.js';
import { writeCount } from './write-numbers.js';

const mostNamed = 12;
const mostLines = 8;

/** The species that came for the first time ever, in the order in which they came, in words. */
export function newSpeciesWords(species: readonly ReportSpecies[]): string {
  const found = species.filter(({ isNew }) => isNew);
  if (!found.length) return 'None: every species had been here before.';
  const order = ({ first }: ReportSpecies) => `${first.day} ${first.time}`;
  const named = found
    .toSorted((one, other) => order(one).localeCompare(order(other)))
    .slice(0, mostNamed)
    .map(({ name, first }) => `${name} (${writeShortDay(first.day)})`);
  const more = found.length - named.length;
  return `${named.join(', ')}${more ? ` and ${writeCount(more)} more, marked in the tables` : ''}.`;
}

/** What was seen here for the first time. */
export function writeNewSpecies(sheet: Sheet, { species }: Report): void {
  writeHeading(sheet, 'Here for the first time', 40);
  writeNote(sheet, newSpeciesWords(species), mostLines, styles.body);
}
