import type { Readable } from 'node:stream';
import { restrictedInput, runTool, type ToolWork, toolInput } from './run-tool.js';

/** A frame as stored in a file. */
export interface Packet {
  /** Presentation time in ticks of the stream. */
  readonly pts: number;
  /** The same in seconds from the start of the file. */
  readonly seconds: number;
  /** Whether it can be decoded on its own. */
  readonly isKey: boolean;
}

/**
 * Parses packets that `ffprobe` lists as `packet,<pts>,<seconds>,<flags>`, sorted by time; `start` is the start of the
 * file.
 */
export function parsePackets(listing: string, start: number): Packet[] {
  const packets: Packet[] = [];
  for (const line of listing.split('\n')) {
    const [section, pts = '', time = '', flags = ''] = line.split(',');
    const isShown = section === 'packet' && /^-?\d+$/.test(pts) && !flags.includes('D');
    if (isShown)
      packets.push({ pts: Number(pts), seconds: Number(time) - start, isKey: flags.startsWith('K') });
  }
  return packets.sort((one, other) => one.pts - other.pts);
}

/** About a million packets, which take some hundred megabytes when parsed; a file may list many times more. */
const maxListingBytes = 32 * 1024 * 1024;

/** Reads a listing of `ffprobe`; returns an empty one, as of a file that cannot be read, when it is too long. */
export async function readListing(output: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of output as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Leaving the loop closes the output, which ends ffprobe.
    if (bytes > maxListingBytes) return '';
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Returns the packet nearest to a time, the earlier one on a tie; undefined when there is none. */
export function nearestPacket(packets: readonly Packet[], seconds: number): Packet | undefined {
  let nearest = packets[0];
  for (const packet of packets) {
    if (nearest && Math.abs(packet.seconds - seconds) < Math.abs(nearest.seconds - seconds)) nearest = packet;
  }
  return nearest;
}

/** Returns the last packet up to a given one that can be decoded on its own; undefined when there is none. */
export function keyPacketBefore(packets: readonly Packet[], { pts }: Packet): Packet | undefined {
  return packets.findLast((packet) => packet.isKey && packet.pts <= pts);
}

/** A span of a file in seconds from its start. */
export interface FileSpan {
  readonly first: number;
  readonly last: number;
}

const marginSeconds = 1;

/**
 * Lists the video packets of a file around a span, from the key frame before it; for a span beyond the end, the last
 * ones. The list is empty for a file without video.
 */
export async function listPackets(ffprobe: string, span: FileSpan, work: ToolWork): Promise<Packet[]> {
  const probe = (args: readonly string[]) =>
    runTool(
      ffprobe,
      { ...work, args: ['-v', 'quiet', ...restrictedInput, ...args, '-of', 'csv', toolInput] },
      readListing,
    );
  const [, startText = ''] = (await probe(['-show_entries', 'format=start_time'])).trim().split(',');
  if (!startText) return [];
  const start = Number.parseFloat(startText) || 0;
  const from = start + Math.max(0, span.first - marginSeconds);
  const to = start + span.last + marginSeconds;
  const wanted = ['-select_streams', 'V:0', '-show_entries', 'packet=pts,pts_time,flags'];
  const listing = await probe([...wanted, '-read_intervals', `${from}%${to}`]);
  return parsePackets(listing, start);
}

const maxGapSeconds = 10;
const maxTimesPerRun = 32;

/** A time and its index in the requested list. */
export interface IndexedTime {
  readonly index: number;
  readonly seconds: number;
}

/** Sorts times and splits them into non-empty runs; longer gaps cost more to decode than another run of the decoder. */
export function toRuns(times: readonly number[]): IndexedTime[][] {
  const ordered = times
    .map((seconds, index) => ({ index, seconds }))
    .sort((one, other) => one.seconds - other.seconds);
  const runs: IndexedTime[][] = [];
  for (const placed of ordered) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const isNear = last && placed.seconds - last.seconds <= maxGapSeconds;
    if (run && isNear && run.length < maxTimesPerRun) run.push(placed);
    else runs.push([placed]);
  }
  return runs;
}

/** Returns the span of a run of times. */
export function spanOf(run: readonly IndexedTime[]): FileSpan {
  const seconds = run.map((placed) => placed.seconds);
  return { first: Math.min(...seconds), last: Math.max(...seconds) };
}
