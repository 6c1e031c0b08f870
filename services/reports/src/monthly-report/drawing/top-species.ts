import type { Report, ReportSpecies, SpeciesPictures } from '../report-contents.js';
import { writeHeading } from './heading.js';
import type { Sheet } from './sheet.js';
import { layOutNames, type NameLayout, nameColumn } from './species-name.js';
import { headHeight, type TableColumn, textColumn, writeTable } from './table.js';
import { colours, frame, topSpeciesCount } from './theme.js';
import { writeCount, writeShare } from './write-numbers.js';

const leastRows = 3;
const pictureSize = 30;
const padding = 4;
const nameWidth = 200;

function pictureColumn(sheet: Sheet, pictures: SpeciesPictures): TableColumn<ReportSpecies> {
  const { doc } = sheet;
  const size = { width: pictureSize, height: pictureSize };
  return {
    head: '',
    x: frame.left,
    alignment: 'left',
    isOrnament: true,
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
    column('Visits', 192, (row) => writeCount(row.visits)),
    column('Share', 142, (row) => writeShare(row.visits, visits)),
    column('Birds *', 94, (row) => writeCount(row.individuals)),
    column('At once', 46, (row) => writeCount(row.most)),
    column('Days', 0, (row) => writeCount(row.days)),
  ];
}

/** The first rows that fit into a height, but a few in any case. */
export function fittingRows<Row>(rows: readonly Row[], heightOf: (row: Row) => number, room: number): Row[] {
  let left = room;
  return rows.filter((row, index) => {
    left -= heightOf(row);
    return left >= 0 || index < leastRows;
  });
}

/** The species that came most, as many as the page has room for, with pictures where the hub has any. */
export function writeTopSpecies(sheet: Sheet, { species, totals }: Report, pictures: SpeciesPictures): void {
  const most = species.slice(0, topSpeciesCount);
  const hasPictures = most.some(({ id }) => pictures.has(id));
  const leastHeight = hasPictures ? pictureSize : 0;
  const names: NameLayout = layOutNames(sheet, most, nameWidth, 2);
  const heightOf = (row: ReportSpecies) => Math.max(leastHeight, names.get(row)?.height ?? 0) + 2 * padding;
  writeHeading(sheet, 'Most frequent species', 160);
  const rows = fittingRows(most, heightOf, frame.bottom - sheet.y - headHeight);
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
