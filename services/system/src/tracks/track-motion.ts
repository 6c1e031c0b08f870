import type { Readable } from 'node:stream';
import { confined, runTool, type ToolWork, toolInput } from '@birdhub/domain/media';
import type { Frame } from '@birdhub/domain/recordings';
import { findMoving, graySize, medianPicture } from './find-moving.js';
import { followBoxes, type Sighting } from './follow-boxes.js';
import { framesPerSecond } from './tidy-frames.js';

/** What moves later is not looked for. */
const longestSeconds = 1_800;
/** Pictures of the first ten seconds tell what is there when nothing moves. */
const learnedFrom = 10 * framesPerSecond;
const mostPixels = 7_680 * 4_320;
const { width, height } = graySize;
const pictureBytes = width * height;

const args = [
  ...['-v', 'quiet', '-nostdin', ...confined, '-threads', '1', '-max_pixels', String(mostPixels)],
  ...['-t', String(longestSeconds), '-i', toolInput, '-map', '0:V:0'],
  ...['-vf', `fps=${framesPerSecond}:start_time=0,scale=${width}:${height}:flags=area,format=gray`],
  ...['-f', 'rawvideo', 'pipe:1'],
];

async function* readGray(output: Readable): AsyncGenerator<Uint8Array> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of output) {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= pictureBytes) {
      yield rest.subarray(0, pictureBytes);
      rest = rest.subarray(pictureBytes);
    }
  }
}

async function watch(output: Readable): Promise<Sighting[]> {
  const first: Uint8Array[] = [];
  const sightings: Sighting[] = [];
  let background: Float32Array | undefined;
  const look = (picture: Uint8Array, known: Float32Array) =>
    void sightings.push({ t: sightings.length / framesPerSecond, boxes: findMoving(picture, known) });
  const lookBack = () => {
    const known = medianPicture(first);
    for (const picture of first) look(picture, known);
    return known;
  };
  for await (const picture of readGray(output)) {
    if (background) look(picture, background);
    else if (first.push(picture) === learnedFrom) background = lookBack();
  }
  if (!background && first.length) lookBack();
  return sightings;
}

/**
 * The tracks of what moves in a video; none of one that cannot be decoded.
 * @throws ToolTimeoutError, or an error when the program is not there
 */
export async function trackMotion(ffmpegPath: string, work: ToolWork): Promise<Frame[][]> {
  return followBoxes(await runTool(ffmpegPath, { ...work, args }, watch));
}
