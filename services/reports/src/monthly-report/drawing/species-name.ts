import type { ReportSpecies } from '../report-contents.js';
import type { Sheet } from './sheet.js';
import type { TableColumn } from './table.js';
import { styles } from './theme.js';

const nameHeight = 11.5;
const scientificHeight = 10;
const newMark = 'new';
const markGap = 5;

/** How a species is named in a table: its name in lines, its scientific name below or not at all. */
interface SpeciesName {
  readonly lines: readonly string[];
  readonly scientific: string | undefined;
  /** In points. */
  readonly height: number;
}

/** The names of the rows of a table. */
export type NameLayout = ReadonlyMap<ReportSpecies, SpeciesName>;

/** Breaks names to a width in points and so many lines; those of one line go without the scientific name. */
export function layOutNames(
  sheet: Sheet,
  species: readonly ReportSpecies[],
  width: number,
  mostLines: 1 | 2,
): NameLayout {
  const markWidth = sheet.measure(newMark, styles.isNew) + markGap;
  const layOut = ({ name, scientificName, isNew }: ReportSpecies): SpeciesName => {
    const lines = sheet.wrap(name, width - (isNew ? markWidth : 0), styles.strong, mostLines);
    const hasSecond = mostLines > 1 && scientificName;
    const scientific = hasSecond ? sheet.shorten(scientificName, width, styles.scientific) : undefined;
    return { lines, scientific, height: lines.length * nameHeight + (scientific ? scientificHeight : 0) };
  };
  return new Map(species.map((kind) => [kind, layOut(kind)]));
}

/** The column of names; what was never seen before is marked. */
export function nameColumn(sheet: Sheet, x: number, names: NameLayout): TableColumn<ReportSpecies> {
  return {
    head: 'Species',
    x,
    alignment: 'left',
    namesRow: true,
    write(row, place) {
      const { lines, scientific, height } = names.get(row) ?? { lines: [row.name], height: nameHeight };
      let y = place.y + (place.height - height) / 2 - 2.2;
      for (const line of lines) {
        y += nameHeight;
        sheet.set(line, x, y, styles.strong);
      }
      if (row.isNew)
        sheet.set(newMark, x + sheet.measure(lines.at(-1) ?? '', styles.strong) + markGap, y, styles.isNew);
      if (scientific !== undefined) sheet.set(scientific, x, y + scientificHeight, styles.scientific);
    },
  };
}
