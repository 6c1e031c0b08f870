import type { Readable } from 'node:stream';
import { confined, type ToolWork } from './list-packets.js';
import type { Packet } from './packet-times.js';
import { type Picture, readPictures } from './picture-stream.js';
import { runTool, secondOutput, toolInput } from './run-tool.js';

/** A picture of 8K. */
const mostPixels = 7_680 * 4_320;

/** Something else that is made of the same file in the same run. */
export interface SideOutput {
  /** Options before the file is opened for it a second time. */
  readonly input: readonly string[];
  /** A filter graph from `1:a:0` to `[side]`, and how what comes out of it is written. */
  readonly graph: string;
  readonly output: readonly string[];
  readonly read: (output: Readable) => Promise<void>;
}

/** Opens the file on its own, so that it is not cut by where the frames begin. */
function sideArguments(side: SideOutput | undefined): { input: string[]; output: string[] } {
  if (!side) return { input: [], output: [] };
  return {
    input: [...confined, '-threads', '1', ...side.input, '-i', toolInput],
    output: ['-filter_complex', side.graph, '-map', '[side]', ...side.output, '-y', secondOutput],
  };
}

/** Frames are chosen by their tick; after that the clock is one tick a frame, so that none is doubled or dropped. */
function decodeArguments(packets: readonly Packet[], side?: SideOutput): string[] {
  const beside = sideArguments(side);
  const chosen = packets.map(({ pts }) => `eq(pts,${pts})`).join('+');
  const from = Math.max(0, packets[0]?.seconds ?? 0);
  return [
    ...['-v', 'quiet', '-nostdin', ...confined, '-threads', '1', '-max_pixels', String(mostPixels)],
    ...['-copyts', '-noaccurate_seek', '-ss', from.toFixed(6), '-i', toolInput, ...beside.input],
    ...[
      '-map',
      '0:V:0',
      '-vf',
      `select='${chosen}',settb=1/25,setpts=N`,
      '-r',
      '25',
      '-frames:v',
      String(packets.length),
    ],
    ...['-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1', ...beside.output],
  ];
}

/**
 * What is made of the pictures of packets, which are in order of time and so are the answers. Undefined when not all
 * of them could be decoded, as then nobody knows which ones were.
 */
export function decodePackets<T>(
  ffmpeg: string,
  packets: readonly Packet[],
  work: ToolWork,
  make: (picture: Picture, packet: Packet) => Promise<T>,
  side?: SideOutput,
): Promise<T[] | undefined> {
  const run = { ...work, args: decodeArguments(packets, side), ...(side && { readSecond: side.read }) };
  return runTool(ffmpeg, run, async (output) => {
    const made: T[] = [];
    for await (const picture of readPictures(output)) {
      const packet = packets[made.length];
      if (packet) made.push(await make(picture, packet));
    }
    return made.length === packets.length ? made : undefined;
  });
}
