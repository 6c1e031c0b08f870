import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import pLimit from 'p-limit';
import {
  type IndexedTime,
  keyPacketBefore,
  listPackets,
  nearestPacket,
  type Packet,
  spanOf,
  toRuns,
} from './packets.js';
import { type Picture, readPictures } from './pictures.js';
import { restrictedInput, runTool, secondOutput, type ToolWork, toolInput } from './run-tool.js';

/** The programs that decode frames, by name or path. */
export interface FrameTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Decodes single frames of videos, two videos at a time, at low priority. */
export interface FrameReader {
  /**
   * Calls `make` with the frame nearest to each time, in seconds from the start of the file; a time beyond the end gets
   * the last frame. Times close together are decoded in one run, and a frame may be used more than once. The results
   * are in the order of the times, undefined where no frame could be decoded.
   * @throws ToolTimeoutError, the reason of an abort
   */
  read<T>(
    file: FileHandle,
    times: readonly number[],
    make: (picture: Picture, index: number) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<(T | undefined)[]>;
}

const maxConcurrent = 2;
const toolTimeoutMs = 60_000;

type Make<T> = (picture: Picture, index: number) => Promise<T>;

/** Creates a frame reader, one per machine; `limitMs` is the timeout of each run of a program. */
export function createFrameReader(
  { ffmpegPath, ffprobePath }: FrameTools,
  limitMs = toolTimeoutMs,
): FrameReader {
  const limit = pLimit(maxConcurrent);

  async function readRun<T>(run: readonly IndexedTime[], work: ToolWork, make: Make<T>) {
    const packets = await listPackets(ffprobePath, spanOf(run), work);
    return decodeRun(ffmpegPath, { run, packets }, work, make);
  }

  return {
    async read<T>(file: FileHandle, times: readonly number[], make: Make<T>, signal?: AbortSignal) {
      const made: (T | undefined)[] = times.map(() => undefined);
      for (const run of toRuns(times)) {
        const found = await limit(() => readRun(run, { input: file, limitMs, signal }, make));
        for (const [index, value] of found) made[index] = value;
      }
      return made;
    },
  };
}

/** A second output of the same file, produced in the same run. */
export interface SideOutput {
  /** Options before the second input of the file. */
  readonly input: readonly string[];
  /** A filter graph from `1:a:0` to `[side]`, and the options of its output. */
  readonly graph: string;
  readonly output: readonly string[];
  readonly read: (output: Readable) => Promise<void>;
}

/** Maps each packet that is nearest to a time to the indexes of its times; both in order. */
function nearestPackets(packets: readonly Packet[], run: readonly IndexedTime[]): Map<Packet, number[]> {
  const indexes = new Map<Packet, number[]>();
  for (const { index, seconds } of run) {
    const packet = nearestPacket(packets, seconds);
    if (packet) indexes.set(packet, [...(indexes.get(packet) ?? []), index]);
  }
  return indexes;
}

type MakeAll<T> = (picture: Picture, packet: Packet) => Promise<T>;

/** Decodes one packet, or the key frame before it when the file is damaged there. */
async function decodeSingle<T>(
  ffmpegPath: string,
  chosen: Packet,
  packets: readonly Packet[],
  work: ToolWork,
  make: MakeAll<T>,
): Promise<T | undefined> {
  for (const packet of new Set([chosen, keyPacketBefore(packets, chosen)])) {
    const made =
      packet && (await decodePackets(ffmpegPath, [packet], work, (picture) => make(picture, chosen)));
    if (made) return made[0];
  }
  return undefined;
}

/** Calls `make` with the frame nearest to each time of a run; frames that cannot be decoded are skipped. */
export async function decodeRun<T>(
  ffmpegPath: string,
  { run, packets, side }: { run: readonly IndexedTime[]; packets: readonly Packet[]; side?: SideOutput },
  work: ToolWork,
  make: Make<T>,
): Promise<(readonly [index: number, made: T])[]> {
  const indexes = nearestPackets(packets, run);
  const chosen = [...indexes.keys()];
  if (!chosen.length) return [];
  const makeAll = (picture: Picture, packet: Packet) =>
    Promise.all(
      (indexes.get(packet) ?? []).map(async (index) => [index, await make(picture, index)] as const),
    );
  const made = await decodePackets(ffmpegPath, chosen, work, makeAll, side);
  if (made) return made.flat();
  const singly: (readonly [number, T])[] = [];
  for (const packet of chosen)
    singly.push(...((await decodeSingle(ffmpegPath, packet, packets, work, makeAll)) ?? []));
  return singly;
}

/** The size of an 8K picture. */
const maxPixels = 7_680 * 4_320;

/** Opens the file a second time, so that the sound is not read from the seek position of the frames. */
function sideArguments(side: SideOutput | undefined): { input: string[]; output: string[] } {
  if (!side) return { input: [], output: [] };
  return {
    input: [...restrictedInput, '-threads', '1', ...side.input, '-i', toolInput],
    output: ['-filter_complex', side.graph, '-map', '[side]', ...side.output, '-y', secondOutput],
  };
}

/** Frames are selected by tick and then timed one tick apart, so that none is duplicated or dropped. */
function decodeArguments(packets: readonly Packet[], side?: SideOutput): string[] {
  const sideArgs = sideArguments(side);
  const chosen = packets.map(({ pts }) => `eq(pts,${pts})`).join('+');
  const from = Math.max(0, packets[0]?.seconds ?? 0);
  return [
    ...['-v', 'quiet', '-nostdin', ...restrictedInput, '-threads', '1', '-max_pixels', String(maxPixels)],
    ...['-copyts', '-noaccurate_seek', '-ss', from.toFixed(6), '-i', toolInput, ...sideArgs.input],
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
    ...['-c:v', 'ppm', '-f', 'image2pipe', 'pipe:1', ...sideArgs.output],
  ];
}

/**
 * Calls `make` with the picture of each packet, in order of time. Returns undefined when some could not be decoded,
 * because the output does not show which.
 */
function decodePackets<T>(
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
