/** The positions of a bird over time, as boxes x1, y1, x2, y2 in fractions of the picture. */
export interface PlacedTrack {
  readonly detectionId: number;
  readonly videoId: number;
  readonly speciesId: number;
  readonly speciesName: string;
  readonly start: Date;
  /** Time of its appearance, in seconds from the start of the recording. */
  readonly seconds: number;
  readonly boxes: readonly (readonly number[])[];
}

/** The path of one bird through the picture. */
export interface BirdPath {
  readonly detection_id: number;
  readonly video_id: number;
  readonly start_time: string;
  readonly seconds: number;
  readonly species_id: number;
  readonly species_name: string;
  /** x and y in fractions of the picture. */
  readonly points: number[][];
}

/** Size of the grid, whose cells are square in a 16:9 picture. */
export const placeColumns = 32;
export const placeRows = 18;
export const maxPaths = 40;

/** Minimum length of a path, in fractions of the picture. */
const minPathLength = 0.08;

/** Counts the birds in each cell, row by row from the top; a bird counts once per cell. */
export function countPlaces(tracks: readonly PlacedTrack[]): number[] {
  const cells = new Array<number>(placeColumns * placeRows).fill(0);
  for (const { boxes } of tracks) {
    for (const cell of new Set(boxes.flatMap(cellsOf))) cells[cell] = (cells[cell] ?? 0) + 1;
  }
  return cells;
}

/** Returns the cells whose centre is in a box, and the cell of the box's centre. */
function cellsOf([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): number[] {
  const cells = [cellAt((x1 + x2) / 2, placeColumns) + cellAt((y1 + y2) / 2, placeRows) * placeColumns];
  const columns = centresBetween(x1, x2, placeColumns);
  const rows = centresBetween(y1, y2, placeRows);
  for (let row = rows.first; row <= rows.last; row += 1)
    for (let column = columns.first; column <= columns.last; column += 1)
      cells.push(row * placeColumns + column);
  return cells;
}

const cellAt = (share: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(share * count)));

const centresBetween = (from: number, to: number, count: number) => ({
  first: Math.max(0, Math.ceil(from * count - 0.5)),
  last: Math.min(count - 1, Math.floor(to * count - 0.5)),
});

/** Returns the paths of birds that moved, in the order of the tracks. */
export function selectPaths(tracks: readonly PlacedTrack[]): BirdPath[] {
  const paths: BirdPath[] = [];
  for (const track of tracks) {
    if (paths.length === maxPaths) break;
    const points = track.boxes.map(centreOf);
    if (lengthOf(points) < minPathLength) continue;
    const { detectionId, videoId, start, seconds, speciesId, speciesName } = track;
    paths.push({
      detection_id: detectionId,
      video_id: videoId,
      start_time: start.toISOString(),
      seconds,
      species_id: speciesId,
      species_name: speciesName,
      points,
    });
  }
  return paths;
}

const toThousandths = (value: number) => Math.round(value * 1_000) / 1_000;

function centreOf([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): number[] {
  return [toThousandths((x1 + x2) / 2), toThousandths((y1 + y2) / 2)];
}

function lengthOf(points: readonly (readonly number[])[]): number {
  return points.reduce((length, [x = 0, y = 0], at) => {
    const [fromX = x, fromY = y] = points[at - 1] ?? [];
    return length + Math.hypot(x - fromX, y - fromY);
  }, 0);
}
