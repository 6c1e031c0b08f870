import type { Report } from '../report-contents.js';
import { scaleBetween } from './axis.js';
import { writeHeading } from './heading.js';
import type { Sheet } from './sheet.js';
import { colours, frame, styles } from './theme.js';
import { writeCount, writeCounted } from './write-numbers.js';

/** A bar of the chart. */
export interface SpeciesBar {
  readonly name: string;
  readonly visits: number;
}

const mostBars = 20;
const rowHeight = 14.5;
const barHeight = 9;
const labelWidth = 150;
const valueWidth = 44;

/** The species that came most, and all others as one. */
export function speciesBars(species: readonly SpeciesBar[]): SpeciesBar[] {
  if (species.length <= mostBars) return [...species];
  const others = species.slice(mostBars - 1);
  const visits = others.reduce((sum, kind) => sum + kind.visits, 0);
  return [...species.slice(0, mostBars - 1), { name: `${writeCount(others.length)} other species`, visits }];
}

/** Visits by species. */
export function writeSpeciesBars(sheet: Sheet, { species }: Report): void {
  const { doc } = sheet;
  const bars = speciesBars(species);
  const height = bars.length * rowHeight;
  writeHeading(sheet, 'Visits by species', height + 24);
  const top = sheet.y + 6;
  const bottom = top + height;
  const left = frame.left + labelWidth + 8;
  const width = frame.right - valueWidth - left;
  const scale = scaleBetween(0, Math.max(...bars.map(({ visits }) => visits)), 6);
  const widthOf = (visits: number) => (visits / scale.most) * width;
  const draw = () => {
    for (const tick of scale.ticks) {
      doc.rect(left + widthOf(tick) - 0.25, top, 0.5, height).fill(colours.hairline);
      sheet.set(writeCount(tick), left + widthOf(tick), bottom + 10, styles.chart, 'centre');
    }
    for (const [index, { name, visits }] of bars.entries()) {
      const middle = top + (index + 0.5) * rowHeight;
      sheet.set(sheet.shorten(name, labelWidth, styles.body), left - 8, middle + 3.2, styles.body, 'right');
      doc.rect(left, middle - barHeight / 2, Math.max(0.8, widthOf(visits)), barHeight).fill(colours.bar);
      sheet.set(writeCount(visits), left + widthOf(visits) + 5, middle + 2.8, styles.chartValue);
    }
    doc.rect(left - 0.4, top, 0.8, height).fill(colours.muted);
  };
  const alt = `Bar chart of visits by species. ${bars.map(({ name, visits }) => `${name}: ${writeCounted(visits, 'visit')}`).join('; ')}`;
  sheet.piece('Figure', draw, { alt, bbox: [frame.left, top, frame.right, bottom + 14] });
  sheet.y = bottom + 14;
}
