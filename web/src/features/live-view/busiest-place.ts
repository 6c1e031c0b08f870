import type { CameraPlaces } from './camera-queries';

/** The ninths of a picture, row by row from the top left. */
const ninths = [
  'top_left',
  'top',
  'top_right',
  'left',
  'centre',
  'right',
  'bottom_left',
  'bottom',
  'bottom_right',
] as const;

type Grid = Pick<CameraPlaces, 'cells' | 'columns' | 'rows'>;

/** Returns the ninth of the picture with the most birds; undefined if there were none. */
export function busiestNinth({ cells, columns, rows }: Grid): (typeof ninths)[number] | undefined {
  const sums = ninths.map(() => 0);
  for (const [cell, count] of cells.entries()) {
    const column = Math.floor(((cell % columns) * 3) / columns);
    const row = Math.floor((Math.floor(cell / columns) * 3) / rows);
    sums[row * 3 + column] = (sums[row * 3 + column] ?? 0) + count;
  }
  const max = Math.max(...sums);
  return max === 0 ? undefined : ninths[sums.indexOf(max)];
}

/** Colours of a cell from cold to hot. */
const ramp = [
  [46, 125, 190],
  [64, 190, 150],
  [250, 220, 80],
  [245, 140, 40],
  [220, 45, 45],
] as const;
const minAlpha = 70;
const maxAlpha = 215;

/** Returns the RGBA pixels of a heat map. Empty cells are transparent; a root scale keeps low counts visible. */
export function heatPixels({ cells }: Pick<Grid, 'cells'>): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(cells.length * 4);
  const max = Math.max(1, ...cells);
  for (const [cell, count] of cells.entries()) {
    const share = Math.sqrt(count / max);
    const [low, high] = [Math.floor(share * (ramp.length - 1)), Math.ceil(share * (ramp.length - 1))];
    const between = share * (ramp.length - 1) - low;
    const [from = ramp[0], to = ramp[0]] = [ramp[low], ramp[high]];
    pixels.set(
      from.map((value, channel) => value + ((to[channel] ?? value) - value) * between),
      cell * 4,
    );
    pixels[cell * 4 + 3] = count === 0 ? 0 : minAlpha + share * (maxAlpha - minAlpha);
  }
  return pixels;
}
