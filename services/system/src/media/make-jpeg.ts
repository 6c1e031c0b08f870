import { buffer } from 'node:stream/consumers';
import { confined, runTool, type ToolWork, toolInput } from '@birdhub/domain/media';

/** A picture of 8K. */
const mostPixels = 7_680 * 4_320;

/** What `ffmpeg` does with a file that was sent in, before and after it is opened. */
export interface JpegRecipe {
  readonly input?: readonly string[];
  readonly output: readonly string[];
}

/** Whether bytes are a JPEG from its beginning to its end. */
export const isWholeJpeg = (bytes: Buffer) =>
  bytes.length > 4 && bytes.readUInt16BE(0) === 0xff_d8 && bytes.readUInt16BE(bytes.length - 2) === 0xff_d9;

/**
 * Has one JPEG made of a file; undefined when there is nothing to make it of.
 * @throws ToolTimeoutError, or an error when the program is not there
 */
export async function makeJpeg(
  ffmpegPath: string,
  { input = [], output }: JpegRecipe,
  work: ToolWork,
): Promise<Buffer | undefined> {
  const args = [
    ...['-v', 'quiet', '-nostdin', ...confined, '-threads', '1', '-max_pixels', String(mostPixels)],
    ...[...input, '-i', toolInput, ...output],
    ...['-frames:v', '1', '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-f', 'image2pipe', 'pipe:1'],
  ];
  const bytes = await runTool(ffmpegPath, { ...work, args }, buffer);
  return isWholeJpeg(bytes) ? bytes : undefined;
}
