import type { Sheet } from './sheet.js';
import { colours, frame, styles, type TextStyle } from './theme.js';

/** The vertical extent of a cell, in points. */
export interface CellFrame {
  readonly y: number;
  readonly height: number;
}

/** A column of a table; `x` is its left edge, or its right edge when it is aligned to the right. */
export interface TableColumn<Row> {
  readonly head: string;
  readonly x: number;
  readonly alignment: 'left' | 'right';
  /** Whether its cells are the heads of their rows. */
  readonly isRowHead?: boolean;
  /** Whether it is decoration, which screen readers skip. */
  readonly isArtifact?: boolean;
  write(row: Row, cell: CellFrame): void;
}

/** A table that continues over pages, with its head on each of them. */
export interface Table<Row> {
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  heightOf(row: Row): number;
}

export const headHeight = 18;

/** From the middle of a row to the baseline of a line in it. */
const baselineDrop = 3.2;

/** Writes a table; the head that is repeated on further pages is an artifact. */
export function writeTable<Row>(sheet: Sheet, { columns, rows, heightOf }: Table<Row>): void {
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

/** A column whose cells are one line of text each. */
export function textColumn<Row>(
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
