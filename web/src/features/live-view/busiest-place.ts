import type { CameraPlaces } from './camera-queries';

/** The ninths of a picture, row by row from the top left. */
export const ninths = [
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

/** Returns the ninth of the picture in which most birds were; undefined without any. */
export function busiestNinth({ cells, columns, rows }: Grid): (typeof ninths)[number] | undefined {
  const sums = ninths.map(() => 0);
  for (const [cell, count] of cells.entries()) {
    const column = Math.floor(((cell % columns) * 3) / columns);
    const row = Math.floor((Math.floor(cell / columns) * 3) / rows);
    sums[row * 3 + column] = (sums[row * 3 + column] ?? 0) + count;
  }
  const most = Math.max(...sums);
  return most === 0 ? undefined : ninths[sums.indexOf(most)];
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

/** Returns the pixels (RGBA) of a heat map: a cell without birds is clear. Places that few visited are seen, too. */
export function heatPixels({ cells }: Pick<Grid, 'cells'>): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(cells.length * 4);
  const most = Math.max(1, ...cells);
  for (const [cell, count] of cells.entries()) {
    const share = Math.sqrt(count / most);
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
