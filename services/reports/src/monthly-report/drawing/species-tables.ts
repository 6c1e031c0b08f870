import type { Report, ReportSpecies, SpeciesPictures } from '../report.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles, type TextStyle, topSpeciesCount } from './theme.js';

const topTable = { minRows: 3, pictureSize: 30, padding: 4, nameWidth: 200 };

/** Writes the most frequent species that fit on the page, with pictures if available. */
export function writeTopSpecies(sheet: Sheet, { species, totals }: Report, pictures: SpeciesPictures): void {
  const { pictureSize, padding, nameWidth } = topTable;
  const { headings } = sheet.format.texts;
  const top = species.slice(0, topSpeciesCount);
  const hasPictures = top.some(({ id }) => pictures.has(id));
  const minHeight = hasPictures ? pictureSize : 0;
  const names = layOutNames(sheet, top, nameWidth, 2);
  const heightOf = (row: ReportSpecies) => Math.max(minHeight, names.get(row)?.height ?? 0) + 2 * padding;
  sheet.heading(headings.top, 160);
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

/** Returns the first rows that fit into a height, but at least the minimum. */
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
  const { format } = sheet;
  const { columns } = format.texts;
  const column = (head: string, fromRight: number, textOf: (row: ReportSpecies) => string) =>
    textColumn(sheet, { head, x: frame.right - fromRight, alignment: 'right', textOf });
  return [
    column(columns.visits, 192, (row) => format.count(row.visits)),
    column(columns.share, 142, (row) => format.share(row.visits, visits)),
    column(columns.birds, 94, (row) => format.count(row.individuals)),
    column(columns.atOnce, 46, (row) => format.count(row.maxSimultaneous)),
    column(columns.days, 0, (row) => format.count(row.days)),
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

/** Writes the first and last sighting of each species in the period. */
export function writeSightings(sheet: Sheet, { species }: Report): void {
  const { format } = sheet;
  const { maxRows, rowHeight, nameWidth } = sightingsTable;
  const rows = species.slice(0, maxRows);
  const names = layOutNames(sheet, rows, nameWidth, 1);
  sheet.heading(format.texts.headings.sightings, 70);
  writeTable(sheet, {
    columns: [nameColumn(sheet, frame.left, names), ...sightingColumns(sheet)],
    rows,
    heightOf: () => rowHeight,
  });
  if (rows.length === species.length) return;
  sheet.note(format.plural(format.texts.speciesNotListed, species.length - rows.length));
}

function sightingColumns(sheet: Sheet): TableColumn<ReportSpecies>[] {
  const { format } = sheet;
  const { columns } = format.texts;
  const { scientificWidth, columnStarts } = sightingsTable;
  const scientific = ({ scientificName }: ReportSpecies) =>
    sheet.shorten(scientificName ?? '', scientificWidth, styles.scientific);
  const column = (head: string, start: number, textOf: (row: ReportSpecies) => string, style?: TextStyle) =>
    textColumn(sheet, { head, x: frame.left + start, alignment: 'left', textOf, style });
  return [
    column(columns.scientificName, columnStarts.scientific, scientific, styles.scientific),
    column(columns.first, columnStarts.first, ({ first }) => format.shortMoment(first)),
    column(columns.last, columnStarts.last, ({ last }) => format.shortMoment(last)),
    textColumn(sheet, {
      head: columns.visits,
      x: frame.right,
      alignment: 'right',
      textOf: ({ visits }) => format.count(visits),
    }),
  ];
}

const nameHeight = 11.5;
const scientificHeight = 10;
const newMarkGap = 5;

/** The wrapped name of a species in a table, with or without the scientific name below. */
interface SpeciesName {
  readonly lines: readonly string[];
  readonly scientific: string | undefined;
  /** In points. */
  readonly height: number;
}

/** The names of the rows of a table. */
type NameLayout = ReadonlyMap<ReportSpecies, SpeciesName>;

/** Wraps names to a width in points and a number of lines; single-line names have no scientific name. */
function layOutNames(
  sheet: Sheet,
  species: readonly ReportSpecies[],
  width: number,
  maxLines: 1 | 2,
): NameLayout {
  const markWidth = sheet.measure(sheet.format.texts.newMark, styles.isNew) + newMarkGap;
  const layOut = ({ name, scientificName, isNew }: ReportSpecies): SpeciesName => {
    const lines = sheet.wrap(name, width - (isNew ? markWidth : 0), styles.strong, maxLines);
    const hasSecond = maxLines > 1 && scientificName;
    const scientific = hasSecond ? sheet.shorten(scientificName, width, styles.scientific) : undefined;
    return { lines, scientific, height: lines.length * nameHeight + (scientific ? scientificHeight : 0) };
  };
  return new Map(species.map((row) => [row, layOut(row)]));
}

/** Returns the column of names, in which new species are marked. */
function nameColumn(sheet: Sheet, x: number, names: NameLayout): TableColumn<ReportSpecies> {
  const { newMark, columns } = sheet.format.texts;
  return {
    head: columns.species,
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

/** The vertical extent of a cell, in points. */
interface CellFrame {
  readonly y: number;
  readonly height: number;
}

/** A column of a table; `x` is its left edge, or its right edge when it is aligned to the right. */
interface TableColumn<Row> {
  readonly head: string;
  readonly x: number;
  readonly alignment: 'left' | 'right';
  /** Whether its cells are row headers. */
  readonly isRowHead?: boolean;
  /** Whether it is decoration, which screen readers skip. */
  readonly isArtifact?: boolean;
  write(row: Row, cell: CellFrame): void;
}

/** A table that continues over pages, with its header on each of them. */
interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  heightOf(row: Row): number;
}

const headHeight = 18;

/** Distance from the middle of a row to the baseline of its text. */
const baselineDrop = 3.2;

/** Writes a table; repeated headers on further pages are artifacts. */
function writeTable<Row>(sheet: Sheet, { columns, rows, heightOf }: Table<Row>): void {
  sheet.group('Table', () => {
    sheet.group('THead', () =>
      sheet.group('TR', () =>
        drawHead(sheet, columns, (draw) => sheet.element('TH', draw, { scope: 'Column' })),
      ),
    );
    sheet.group('TBody', () => {
      for (const row of rows) {
        const height = heightOf(row);
        if (sheet.reserve(height)) drawHead(sheet, columns, (draw) => sheet.artifact(draw));
        writeRow(sheet, columns, row, height);
      }
    });
  });
}

/** Returns a column with single-line text cells. */
function textColumn<Row>(
  sheet: Sheet,
  {
    style = styles.body,
    textOf,
    ...column
  }: Omit<TableColumn<Row>, 'write'> & { style?: TextStyle | undefined; textOf(row: Row): string },
): TableColumn<Row> {
  return {
    ...column,
    write: (row, { y, height }) =>
      sheet.set(textOf(row), column.x, y + height / 2 + baselineDrop, style, column.alignment),
  };
}

function drawHead<Row>(
  sheet: Sheet,
  columns: readonly TableColumn<Row>[],
  each: (draw: () => void) => void,
): void {
  for (const { head, x, alignment, isArtifact } of columns)
    if (!isArtifact) each(() => sheet.set(head, x, sheet.y + 11, styles.columnHead, alignment));
  sheet.y += headHeight;
}

function writeRow<Row>(sheet: Sheet, columns: readonly TableColumn<Row>[], row: Row, height: number): void {
  const cell = { y: sheet.y, height };
  sheet.artifact(() => sheet.doc.rect(frame.left, cell.y, frame.width, 0.5).fill(colours.rule));
  sheet.group('TR', () => {
    for (const { isRowHead, isArtifact, write } of columns) {
      const draw = () => write(row, cell);
      if (isArtifact) sheet.artifact(draw);
      else if (isRowHead) sheet.element('TH', draw, { scope: 'Row' });
      else sheet.element('TD', draw);
    }
  });
  sheet.y += height;
}
