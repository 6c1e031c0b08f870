import type { Sheet } from './sheet.js';
import { colours, frame, styles, type TextStyle } from './theme.js';

/** Where a row stands, in points. */
export interface RowPlace {
  readonly y: number;
  readonly height: number;
}

/** A column of a table; `x` is its left edge, or its right one when it is set to the right. */
export interface TableColumn<Row> {
  readonly head: string;
  readonly x: number;
  readonly alignment: 'left' | 'right';
  /** Whether its cells name their rows. */
  readonly namesRow?: boolean;
  /** Whether it is there for the eye alone. */
  readonly isOrnament?: boolean;
  write(row: Row, place: RowPlace): void;
}

/** A table that goes on over pages, its head on each of them. */
export interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  heightOf(row: Row): number;
}

/** A column whose cells are a line of text each. */
interface TextColumn<Row> extends Omit<TableColumn<Row>, 'write'> {
  readonly style?: TextStyle | undefined;
  textOf(row: Row): string;
}

export const headHeight = 18;

/** From the middle of a row to the baseline of a line in it. */
const baselineDrop = 3.2;

export function textColumn<Row>(
  sheet: Sheet,
  { style = styles.body, textOf, ...column }: TextColumn<Row>,
): TableColumn<Row> {
  return {
    ...column,
    write: (row, { y, height }) =>
      sheet.set(textOf(row), column.x, y + height / 2 + baselineDrop, style, column.alignment),
  };
}

type Columns<Row> = readonly TableColumn<Row>[];

function drawHead<Row>(sheet: Sheet, columns: Columns<Row>, each: (draw: () => void) => void): void {
  for (const { head, x, alignment, isOrnament } of columns)
    if (!isOrnament) each(() => sheet.set(head, x, sheet.y + 11, styles.columnHead, alignment));
  sheet.y += headHeight;
}

function writeRow<Row>(sheet: Sheet, columns: Columns<Row>, row: Row, height: number): void {
  const place = { y: sheet.y, height };
  sheet.ornament(() => sheet.doc.rect(frame.left, place.y, frame.width, 0.5).fill(colours.rule));
  sheet.group('TR', () => {
    for (const { namesRow, isOrnament, write } of columns) {
      const draw = () => write(row, place);
      if (isOrnament) sheet.ornament(draw);
      else if (namesRow) sheet.piece('TH', draw, { scope: 'Row' });
      else sheet.piece('TD', draw);
    }
  });
  sheet.y += height;
}

/** Writes a table; the head that is repeated on further pages is an ornament. */
export function writeTable<Row>(sheet: Sheet, { columns, rows, heightOf }: Table<Row>): void {
  sheet.group('Table', () => {
    sheet.group('THead', () =>
      sheet.group('TR', () =>
        drawHead(sheet, columns, (draw) => sheet.piece('TH', draw, { scope: 'Column' })),
      ),
    );
    sheet.group('TBody', () => {
      for (const row of rows) {
        const height = heightOf(row);
        if (sheet.reserve(height)) drawHead(sheet, columns, (draw) => sheet.ornament(draw));
        writeRow(sheet, columns, row, height);
      }
    });
  });
}
