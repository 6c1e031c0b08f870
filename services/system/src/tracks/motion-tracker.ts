import type { Readable } from 'node:stream';
import { restrictedInput, runTool, type ToolWork, toolInput } from '@birdhub/domain/media';
import type { Frame } from '@birdhub/domain/recordings';
import { maxPixels } from '../media/media-tools.js';
import { type Box, framesPerSecond, iou } from './tracks.js';

/** Size of the grey pictures. Boxes are fractions, so the shape of the video does not matter. */
export const greySize: Readonly<Record<'width' | 'height', number>> = { width: 160, height: 90 };

/** Boxes found at one time. */
export interface Sighting {
  /** Seconds from the start of the recording. */
  readonly t: number;
  readonly boxes: readonly Box[];
}

const { width, height } = greySize;
const pixelCount = width * height;

/** Motion after this time is ignored. */
const maxSeconds = 1_800;
/** The first ten seconds make the initial background. */
const backgroundPictures = 10 * framesPerSecond;
/** Minimum difference of a moving pixel, of 255. */
const threshold = 24;
const minBlobPixels = 12;
/** Larger blobs are changes of the light. */
const maxBlobPixels = pixelCount * 0.6;
const learningRate = { still: 0.05, moving: 0.005 };
/** Boxes are widened by this fraction on each side before they are compared, as fast objects leave their last box. */
const reach = 0.5;
const minIou = 0.1;
const maxLossSeconds = 1;
const minFrames = 3;

const args = [
  ...['-v', 'quiet', '-nostdin', ...restrictedInput, '-threads', '1', '-max_pixels', String(maxPixels)],
  ...['-t', String(maxSeconds), '-i', toolInput, '-map', '0:V:0'],
  ...['-vf', `fps=${framesPerSecond}:start_time=0,scale=${width}:${height}:flags=area,format=gray`],
  ...['-f', 'rawvideo', 'pipe:1'],
];

/**
 * Returns the tracks of moving objects in a video; empty when it cannot be decoded.
 * @throws ToolTimeoutError, or an error when the program is not installed
 */
export async function trackMotion(ffmpegPath: string, work: ToolWork): Promise<Frame[][]> {
  return followBoxes(await runTool(ffmpegPath, { ...work, args }, findSightings));
}

async function findSightings(output: Readable): Promise<Sighting[]> {
  const first: Uint8Array[] = [];
  const sightings: Sighting[] = [];
  let background: Float32Array | undefined;
  const analyse = (picture: Uint8Array, model: Float32Array) =>
    void sightings.push({ t: sightings.length / framesPerSecond, boxes: findMoving(picture, model) });
  const analyseFirst = () => {
    const median = medianPicture(first);
    for (const picture of first) analyse(picture, median);
    return median;
  };
  for await (const picture of readPictures(output)) {
    if (background) analyse(picture, background);
    else if (first.push(picture) === backgroundPictures) background = analyseFirst();
  }
  if (!background && first.length) analyseFirst();
  return sightings;
}

async function* readPictures(output: Readable): AsyncGenerator<Uint8Array> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    pending = Buffer.concat([pending, chunk as Buffer]);
    while (pending.length >= pixelCount) {
      yield pending.subarray(0, pixelCount);
      pending = pending.subarray(pixelCount);
    }
  }
}

/** Returns the median of each pixel, which is the background. */
export function medianPicture(pictures: readonly Uint8Array[]): Float32Array {
  const values = new Uint8Array(pictures.length);
  return Float32Array.from({ length: pixelCount }, (_, pixel) => {
    pictures.forEach((picture, index) => {
      values[index] = picture[pixel] ?? 0;
    });
    return values.sort()[values.length >> 1] ?? 0;
  });
}

/** Returns boxes around the differences from the background, and updates the background from the picture. */
export function findMoving(picture: Uint8Array, background: Float32Array): Box[] {
  const mask = compare(picture, background);
  const boxes: Box[] = [];
  for (let pixel = mask.indexOf(1); pixel >= 0; pixel = mask.indexOf(1, pixel + 1)) {
    const { box, size } = takeBlob(mask, pixel);
    if (size >= minBlobPixels && size <= maxBlobPixels) boxes.push(box);
  }
  return boxes;
}

function compare(picture: Uint8Array, background: Float32Array): Uint8Array {
  const mask = new Uint8Array(pixelCount);
  for (let pixel = 0; pixel < pixelCount; pixel += 1) {
    const expected = background[pixel] ?? 0;
    const difference = (picture[pixel] ?? 0) - expected;
    const isMoving = Math.abs(difference) > threshold;
    mask[pixel] = isMoving ? 1 : 0;
    background[pixel] = expected + difference * (isMoving ? learningRate.moving : learningRate.still);
  }
  return mask;
}

/** Removes a blob from a mask. Returns its box and its number of pixels. */
function takeBlob(mask: Uint8Array, first: number): { box: Box; size: number } {
  const waiting = [first];
  let [left, top, right, bottom, size] = [width, height, 0, 0, 0];
  mask[first] = 0;
  for (let pixel = waiting.pop(); pixel !== undefined; pixel = waiting.pop()) {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    size += 1;
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
    for (const neighbour of neighboursOf(pixel)) {
      if (!mask[neighbour]) continue;
      mask[neighbour] = 0;
      waiting.push(neighbour);
    }
  }
  return { box: [left / width, top / height, right / width, bottom / height], size };
}

/** Yields the pixels up to two away, as parts of one bird may be disconnected. */
function* neighboursOf(pixel: number): Generator<number> {
  const [x, y] = [pixel % width, Math.floor(pixel / width)];
  for (let row = Math.max(0, y - 2); row <= Math.min(height - 1, y + 2); row += 1) {
    for (let column = Math.max(0, x - 2); column <= Math.min(width - 1, x + 2); column += 1) {
      yield row * width + column;
    }
  }
}

/** Joins the boxes of successive times to tracks, without very short ones. */
export function followBoxes(sightings: readonly Sighting[]): Frame[][] {
  const tracks: Frame[][] = [];
  for (const { t, boxes } of sightings) {
    const open = tracks.filter((track) => t - (track.at(-1)?.t ?? 0) <= maxLossSeconds);
    const taken = new Set<Frame[] | Box>();
    for (const { track, box } of listPairs(open, boxes)) {
      if (taken.has(track) || taken.has(box)) continue;
      track.push({ t, bbox: box });
      taken.add(track).add(box);
    }
    for (const box of boxes) if (!taken.has(box)) tracks.push([{ t, bbox: box }]);
  }
  return tracks.filter((track) => track.length >= minFrames);
}

interface Pair {
  readonly track: Frame[];
  readonly box: Box;
  readonly score: number;
}

/** Returns pairs of tracks and boxes that may belong together, most likely first. */
function listPairs(tracks: readonly Frame[][], boxes: readonly Box[]): Pair[] {
  const pairs: Pair[] = [];
  for (const track of tracks) {
    const last = track.at(-1);
    for (const box of boxes) {
      const score = last ? iou(widen(last.bbox), widen(box)) : 0;
      if (score >= minIou) pairs.push({ track, box, score });
    }
  }
  return pairs.sort((one, other) => other.score - one.score);
}

function widen([x1, y1, x2, y2]: Box): Box {
  const [dx, dy] = [(x2 - x1) * reach, (y2 - y1) * reach];
  return [x1 - dx, y1 - dy, x2 + dx, y2 + dy];
}
