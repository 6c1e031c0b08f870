import type { FileHandle } from 'node:fs/promises';
import pLimit from 'p-limit';
import { decodePackets, type SideOutput } from './decode-packets.js';
import { listPackets, type ToolWork } from './list-packets.js';
import { keyPacketBefore, nearestPacket, type Packet, type PlacedTime, toRuns } from './packet-times.js';
import type { Picture } from './picture-stream.js';

/** The programs that frames are decoded with, by name or path. */
export interface FrameTools {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
}

/** Decodes single frames of videos; two videos at once, at low priority. */
export interface FrameReader {
  /**
   * Makes something of the frame nearest to each time, in seconds from the start of the file; a time beyond the end
   * gets the last. Times that lie close together cost one decoding, and a frame may be handed out more than once.
   * The answer is in the order of the times, undefined where no frame could be decoded.
   * @throws ToolTimeoutError, the reason of an abort
   */
  read<T>(
    file: FileHandle,
    times: readonly number[],
    make: (picture: Picture, index: number) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<(T | undefined)[]>;
}

const mostAtOnce = 2;
const minute = 60_000;

type Make<T> = (picture: Picture, index: number) => Promise<T>;

/** Which of some times a packet is nearest to; both in order. */
function nearestPackets(packets: readonly Packet[], run: readonly PlacedTime[]): Map<Packet, number[]> {
  const indexes = new Map<Packet, number[]>();
  for (const { index, seconds } of run) {
    const packet = nearestPacket(packets, seconds);
    if (packet) indexes.set(packet, [...(indexes.get(packet) ?? []), index]);
  }
  return indexes;
}

type MakeAll<T> = (picture: Picture, packet: Packet) => Promise<T>;

/** Of a damaged file, where a frame cannot be decoded, the key frame before it. */
async function decodeAlone<T>(
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

/** Makes something of the frames nearest to the times of a run; frames that cannot be decoded are left out. */
export async function decodeRun<T>(
  ffmpegPath: string,
  { run, packets, side }: { run: readonly PlacedTime[]; packets: readonly Packet[]; side?: SideOutput },
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
  const alone: (readonly [number, T])[] = [];
  for (const packet of chosen)
    alone.push(...((await decodeAlone(ffmpegPath, packet, packets, work, makeAll)) ?? []));
  return alone;
}

/** A reader of frames, one for all who share a machine; the limit is for each time that a program is run. */
export function createFrameReader({ ffmpegPath, ffprobePath }: FrameTools, limitMs = minute): FrameReader {
  const limit = pLimit(mostAtOnce);

  async function readRun<T>(run: readonly PlacedTime[], work: ToolWork, make: Make<T>) {
    const seconds = run.map((placed) => placed.seconds);
    const span = { first: Math.min(...seconds), last: Math.max(...seconds) };
    const packets = await listPackets(ffprobePath, span, work);
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
