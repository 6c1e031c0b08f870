/** A4 in points. */
const page = { width: 595.28, height: 841.89 } as const;

const margin = { left: 54, right: 54, top: 56, bottom: 62 } as const;

/** The printed area of a page, in points from its upper left corner. */
export const frame = {
  left: margin.left,
  right: page.width - margin.right,
  top: margin.top,
  bottom: page.height - margin.bottom,
  width: page.width - margin.left - margin.right,
  /** The baseline of the footer. */
  foot: page.height - 34,
} as const;

/** Text has a contrast of at least 4.5 on white. */
export const colours = {
  ink: '#1d2823',
  muted: '#59645e',
  accent: '#22694a',
  bar: '#3f8363',
  signal: '#a8480f',
  rule: '#c9d1cc',
  hairline: '#e4e9e5',
  paper: '#f4f7f5',
  band: '#f3d9c4',
} as const;

/** Colours from few to many visits; zero has none. */
export const heat = ['#dcebe2', '#b3d4c1', '#83b99c', '#539a77', '#2c7855', '#124c34'] as const;

/** Maximum species listed with pictures. */
export const topSpeciesCount = 10;

/** The font faces of the report. */
export type Face = 'regular' | 'italic' | 'bold';

/** The style of a text; the size in points. */
export interface TextStyle {
  readonly face: Face;
  readonly size: number;
  readonly colour: string;
}

const style = (face: Face, size: number, colour: string = colours.ink): TextStyle => ({ face, size, colour });

/** The styles of the report by their role. */
export const styles = {
  place: style('bold', 10, colours.accent),
  title: style('bold', 30),
  lead: style('regular', 10.5, colours.muted),
  section: style('bold', 13),
  note: style('regular', 8.5, colours.muted),
  figure: style('bold', 22, colours.accent),
  body: style('regular', 9),
  strong: style('bold', 9),
  scientific: style('italic', 8, colours.muted),
  columnHead: style('bold', 7.5, colours.muted),
  chart: style('regular', 7, colours.muted),
  chartValue: style('bold', 7.5),
  isNew: style('bold', 7.5, colours.signal),
} as const;
