import { buffer } from 'node:stream/consumers';
import type { SideOutput, ToolWork } from '@birdhub/domain/media';
import { isWholeJpeg, makeJpeg } from '../media/make-jpeg.js';

/** How a recording's sound is drawn: from its start on, the time from left to right. */
export interface SpectrogramPlan {
  readonly pxPerSecond: number;
  readonly seconds: number;
  readonly width: number;
}

const wantedPxPerSecond = 100;
/** Wider pictures are more than browsers show. */
const widest = 16_000;
/** All of the sound is in memory while it is drawn. */
const longestSeconds = 1_800;
const height = 256;
/** Of samples a second; what birds sing lies below half of it. */
const sampleRate = 24_000;

/** How sound of so many seconds is drawn: a long one with fewer pixels a second. */
export function planSpectrogram(soundSeconds: number): SpectrogramPlan {
  const seconds = Math.min(soundSeconds, longestSeconds);
  const pxPerSecond = Math.max(1, Math.min(wantedPxPerSecond, Math.floor(widest / seconds)));
  return { pxPerSecond, seconds, width: Math.max(1, Math.round(seconds * pxPerSecond)) };
}

const graphOf = (input: string, { width }: SpectrogramPlan) =>
  `[${input}]aresample=${sampleRate},aformat=channel_layouts=mono,` +
  `showspectrumpic=s=${width}x${height}:legend=0:scale=log:color=viridis`;

const quality = ['-q:v', '4'];

/**
 * The sound of a file as a JPEG; undefined when it cannot be decoded.
 * @throws ToolTimeoutError, or an error when the program is not there
 */
export function drawSpectrogram(
  ffmpegPath: string,
  plan: SpectrogramPlan,
  work: ToolWork,
): Promise<Buffer | undefined> {
  return makeJpeg(
    ffmpegPath,
    {
      input: ['-t', plan.seconds.toFixed(3)],
      output: ['-filter_complex', graphOf('0:a:0', plan), ...quality],
    },
    work,
  );
}

/** The same picture as what is made beside the frames of a file; `take` is handed it when it can be made. */
export function spectrogramBeside(plan: SpectrogramPlan, take: (bytes: Buffer) => void): SideOutput {
  return {
    input: ['-t', plan.seconds.toFixed(3)],
    graph: `${graphOf('1:a:0', plan)}[side]`,
    output: [...quality, '-frames:v', '1', '-pix_fmt', 'yuvj420p', '-c:v', 'mjpeg', '-f', 'image2pipe'],
    async read(output) {
      const bytes = await buffer(output);
      if (isWholeJpeg(bytes)) take(bytes);
    },
  };
}
