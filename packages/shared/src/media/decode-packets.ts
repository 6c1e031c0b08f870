import { confined, type ToolWork } from './list-packets.js';
import type { Packet } from './packet-times.js';
import { type Picture, readPictures } from './picture-stream.js';
import { runTool, toolInput } from './run-tool.js';

/** A picture of 8K. */
const mostPixels = 7_680 * 4_320;

/** Frames are chosen by their tick; after that the clock is one tick a frame, so that none is doubled or dropped. */
function decodeArguments(packets: readonly Packet[]): string[] {
  const chosen = packets.map(({ pts }) => `eq(pts,${pts})`).join('+');
  const from = Math.max(0, packets[0]?.seconds ?? 0);
  return [
    ...['-v', 'quiet', '-nostdin', ...confined, '-threads', '1', '-max_pixels', String(mostPixels)],
    ...['-copyts', '-noaccurate_seek', '-ss', from.toFixed(6), '-i', toolInput, '-map', '0:V:0'],
    ...['-vf', `select='${chosen}',settb=1/25,setpts=N`, '-r', '25', '-frames:v', String(packets.length)],
    ...['-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1'],
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
): Promise<T[] | undefined> {
  return runTool(ffmpeg, { ...work, args: decodeArguments(packets) }, async (output) => {
    const made: T[] = [];
    for await (const picture of readPictures(output)) {
      const packet = packets[made.length];
      if (packet) made.push(await make(picture, packet));
    }
    return made.length === packets.length ? made : undefined;
  });
}
