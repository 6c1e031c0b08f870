import type { Report } from '../report-contents.js';
import { writeNote } from './heading.js';
import type { Sheet } from './sheet.js';
import { frame, styles } from './theme.js';
import { writeCounted } from './write-numbers.js';

/** Says that there is nothing to tell. */
export function writeEmptyPeriod(sheet: Sheet, { totals, span }: Report): void {
  const { genericVisits, recordings } = totals;
  sheet.y += 40;
  sheet.piece('P', () => sheet.set('No visits in this period.', frame.left, sheet.y, styles.section));
  sheet.y += 8;
  const made = recordings
    ? `The hub has ${writeCounted(recordings, 'recording')}`
    : 'The hub has no recordings';
  const unnamed = genericVisits
    ? `, with ${writeCounted(genericVisits, 'visit')} of birds that were not identified to species`
    : '';
  writeNote(sheet, `${made} of ${span}${unnamed}.`);
}
