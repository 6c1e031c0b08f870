import type { Report, ReportSpecies } from '../report-contents.js';
import { writeShortMoment } from '../write-dates.js';
import { writeHeading, writeNote } from './heading.js';
import type { Sheet } from './sheet.js';
import { layOutNames, nameColumn } from './species-name.js';
import { type TableColumn, textColumn, writeTable } from './table.js';
import { frame, styles, type TextStyle } from './theme.js';
import { writeCount } from './write-numbers.js';

/** What is listed of a hub that names thousands of species. */
const mostRows = 400;
const rowHeight = 17;
const nameWidth = 160;
const scientificWidth = 120;
const columnStarts = { scientific: 172, first: 306, last: 382 };

function columnsOf(sheet: Sheet): TableColumn<ReportSpecies>[] {
  const scientific = ({ scientificName }: ReportSpecies) =>
    sheet.shorten(scientificName ?? '', scientificWidth, styles.scientific);
  const column = (head: string, start: number, textOf: (row: ReportSpecies) => string, style?: TextStyle) =>
    textColumn(sheet, { head, x: frame.left + start, alignment: 'left', textOf, style });
  return [
    column('Scientific name', columnStarts.scientific, scientific, styles.scientific),
    column('First', columnStarts.first, ({ first }) => writeShortMoment(first)),
    column('Last', columnStarts.last, ({ last }) => writeShortMoment(last)),
    textColumn(sheet, {
      head: 'Visits',
      x: frame.right,
      alignment: 'right',
      textOf: ({ visits }) => writeCount(visits),
    }),
  ];
}

/** When each species was seen first and last in the period. */
export function writeSightings(sheet: Sheet, { species }: Report): void {
  const rows = species.slice(0, mostRows);
  const names = layOutNames(sheet, rows, nameWidth, 1);
  writeHeading(sheet, 'First and last sightings', 70);
  writeTable(sheet, {
    columns: [nameColumn(sheet, frame.left, names), ...columnsOf(sheet)],
    rows,
    heightOf: () => rowHeight,
  });
  if (rows.length === species.length) return;
  const left = writeCount(species.length - rows.length);
  writeNote(sheet, `${left} more species with fewer visits are not listed.`);
}
