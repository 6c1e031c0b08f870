import { formatCount, formatShare, formatShortMoment } from '../format.js';
import type { Report, ReportSpecies, SpeciesPictures } from '../report.js';
import type { Sheet } from './sheet.js';
import { headHeight, type TableColumn, textColumn, writeTable } from './table.js';
import { colours, frame, styles, type TextStyle, topSpeciesCount } from './theme.js';

const topTable = { minRows: 3, pictureSize: 30, padding: 4, nameWidth: 200 };

/** Writes the most frequent species, as many as the page has room for, with pictures where there are any. */
export function writeTopSpecies(sheet: Sheet, { species, totals }: Report, pictures: SpeciesPictures): void {
  const { pictureSize, padding, nameWidth } = topTable;
  const top = species.slice(0, topSpeciesCount);
  const hasPictures = top.some(({ id }) => pictures.has(id));
  const minHeight = hasPictures ? pictureSize : 0;
  const names = layOutNames(sheet, top, nameWidth, 2);
  const heightOf = (row: ReportSpecies) => Math.max(minHeight, names.get(row)?.height ?? 0) + 2 * padding;
  sheet.heading('Most frequent species', 160);
  const rows = fittingRows(top, heightOf, frame.bottom - sheet.y - headHeight);
  const columns = [
    nameColumn(sheet, frame.left + (hasPictures ? pictureSize + 12 : 0), names),
    ...numberColumns(sheet, totals.visits),
  ];
  writeTable(sheet, {
    columns: hasPictures ? [pictureColumn(sheet, pictures), ...columns] : columns,
    rows,
    heightOf,
  });
}

/** The first rows that fit into a height, but never fewer than the minimum. */
export function fittingRows<Row>(rows: readonly Row[], heightOf: (row: Row) => number, room: number): Row[] {
  let left = room;
  return rows.filter((row, index) => {
    left -= heightOf(row);
    return left >= 0 || index < topTable.minRows;
  });
}

function pictureColumn(sheet: Sheet, pictures: SpeciesPictures): TableColumn<ReportSpecies> {
  const { doc } = sheet;
  const { pictureSize } = topTable;
  const size = { width: pictureSize, height: pictureSize };
  return {
    head: '',
    x: frame.left,
    alignment: 'left',
    isArtifact: true,
    write({ id }, { y, height }) {
      const top = y + (height - pictureSize) / 2;
      const picture = pictures.get(id);
      doc.save().roundedRect(frame.left, top, pictureSize, pictureSize, 3).clip();
      if (picture) doc.image(Buffer.from(picture), frame.left, top, size);
      else doc.rect(frame.left, top, pictureSize, pictureSize).fill(colours.paper);
      doc.restore();
    },
  };
}

function numberColumns(sheet: Sheet, visits: number): TableColumn<ReportSpecies>[] {
  const column = (head: string, fromRight: number, textOf: (row: ReportSpecies) => string) =>
    textColumn(sheet, { head, x: frame.right - fromRight, alignment: 'right', textOf });
  return [
    column('Visits', 192, (row) => formatCount(row.visits)),
    column('Share', 142, (row) => formatShare(row.visits, visits)),
    column('Birds *', 94, (row) => formatCount(row.individuals)),
    column('At once', 46, (row) => formatCount(row.maxAtOnce)),
    column('Days', 0, (row) => formatCount(row.days)),
  ];
}

const sightingsTable = {
  /** A hub may have thousands of species. */
  maxRows: 400,
  rowHeight: 17,
  nameWidth: 160,
  scientificWidth: 120,
  columnStarts: { scientific: 172, first: 306, last: 382 },
};

/** Writes when each species was seen first and last in the period. */
export function writeSightings(sheet: Sheet, { species }: Report): void {
  const { maxRows, rowHeight, nameWidth } = sightingsTable;
  const rows = species.slice(0, maxRows);
  const names = layOutNames(sheet, rows, nameWidth, 1);
  sheet.heading('First and last sightings', 70);
  writeTable(sheet, {
    columns: [nameColumn(sheet, frame.left, names), ...sightingColumns(sheet)],
    rows,
    heightOf: () => rowHeight,
  });
  if (rows.length === species.length) return;
  const left = formatCount(species.length - rows.length);
  sheet.note(`${left} more species with fewer visits are not listed.`);
}

function sightingColumns(sheet: Sheet): TableColumn<ReportSpecies>[] {
  const { scientificWidth, columnStarts } = sightingsTable;
  const scientific = ({ scientificName }: ReportSpecies) =>
    sheet.shorten(scientificName ?? '', scientificWidth, styles.scientific);
  const column = (head: string, start: number, textOf: (row: ReportSpecies) => string, style?: TextStyle) =>
    textColumn(sheet, { head, x: frame.left + start, alignment: 'left', textOf, style });
  return [
    column('Scientific name', columnStarts.scientific, scientific, styles.scientific),
    column('First', columnStarts.first, ({ first }) => formatShortMoment(first)),
    column('Last', columnStarts.last, ({ last }) => formatShortMoment(last)),
    textColumn(sheet, {
      head: 'Visits',
      x: frame.right,
      alignment: 'right',
      textOf: ({ visits }) => formatCount(visits),
    }),
  ];
}

const nameHeight = 11.5;
const scientificHeight = 10;
const newMark = 'new';
const newMarkGap = 5;

/** The name of a species in a table: in lines, with the scientific name below or without it. */
interface SpeciesName {
  readonly lines: readonly string[];
  readonly scientific: string | undefined;
  /** In points. */
  readonly height: number;
}

/** The names of the rows of a table. */
type NameLayout = ReadonlyMap<ReportSpecies, SpeciesName>;

/** Breaks names to a width in points and a number of lines; names of one line have no scientific name. */
function layOutNames(
  sheet: Sheet,
  species: readonly ReportSpecies[],
  width: number,
  maxLines: 1 | 2,
): NameLayout {
  const markWidth = sheet.measure(newMark, styles.isNew) + newMarkGap;
  const layOut = ({ name, scientificName, isNew }: ReportSpecies): SpeciesName => {
    const lines = sheet.wrap(name, width - (isNew ? markWidth : 0), styles.strong, maxLines);
    const hasSecond = maxLines > 1 && scientificName;
    const scientific = hasSecond ? sheet.shorten(scientificName, width, styles.scientific) : undefined;
    return { lines, scientific, height: lines.length * nameHeight + (scientific ? scientificHeight : 0) };
  };
  return new Map(species.map((row) => [row, layOut(row)]));
}

/** The column of names, in which new species are marked. */
function nameColumn(sheet: Sheet, x: number, names: NameLayout): TableColumn<ReportSpecies> {
  return {
    head: 'Species',
    x,
    alignment: 'left',
    isRowHead: true,
    write(row, cell) {
      const { lines, scientific, height } = names.get(row) ?? { lines: [row.name], height: nameHeight };
      let y = cell.y + (cell.height - height) / 2 - 2.2;
      for (const line of lines) {
        y += nameHeight;
        sheet.set(line, x, y, styles.strong);
      }
      if (row.isNew)
        sheet.set(
          newMark,
          x + sheet.measure(lines.at(-1) ?? '', styles.strong) + newMarkGap,
          y,
          styles.isNew,
        );
      if (scientific !== undefined) sheet.set(scientific, x, y + scientificHeight, styles.scientific);
    },
  };
}
