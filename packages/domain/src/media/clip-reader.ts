import { decodeRun, type FrameTools, type SideOutput } from './frame-reader.js';
import {
  type FileSpan,
  listPackets,
  type Packet,
  parsePackets,
  readListing,
  spanOf,
  toRuns,
} from './packets.js';
import type { Picture } from './pictures.js';
import { restrictedInput, runTool, type ToolWork, toolInput } from './run-tool.js';

/** The properties of a media file. */
export interface MediaFacts {
  /** Duration; undefined when the container does not state it. */
  readonly seconds: number | undefined;
  readonly hasVideo: boolean;
  readonly hasAudio: boolean;
}

/** The frames and the sound that {@link readClip} extracts from a clip. */
export interface ClipRequest<T> {
  /** In seconds from the start of the file; a time beyond the end gets the last frame. */
  readonly times: readonly number[];
  readonly make: (picture: Picture, index: number) => Promise<T>;
  /** Returns the output for the sound, which is produced in the same run as the frames; undefined for none. */
  readonly drawSound: (facts: MediaFacts) => SideOutput | undefined;
}

/** The properties of a clip, and the results for its frames; undefined for frames that could not be decoded. */
export interface ClipContent<T> {
  readonly facts: MediaFacts;
  readonly made: readonly (T | undefined)[];
}

interface Listing {
  readonly facts: MediaFacts;
  readonly startSeconds: number;
  readonly packets: readonly Packet[];
}

const marginSeconds = 1;
/** A file that starts later than this is listed again with its real times. */
const maxStartSeconds = 0.25;
/** On other systems, readers of one descriptor share its position. */
const canOpenTwice = process.platform === 'linux';
const entries =
  'format=start_time,duration:stream=index,codec_type:stream_disposition=attached_pic:packet=stream_index,pts,pts_time,flags';

/** Parses the output of `ffprobe -of csv`; returns undefined for a file with neither video nor audio. */
export function parseListing(listing: string): Listing | undefined {
  const rows = listing.split('\n').map((line) => line.trim().split(','));
  const streams = rows.filter(([section]) => section === 'stream');
  const video = streams.find(([, , type, isAttached]) => type === 'video' && isAttached !== '1');
  const hasAudio = streams.some(([, , type]) => type === 'audio');
  if (!video && !hasAudio) return undefined;
  const [, start = '', duration = ''] = rows.find(([section]) => section === 'format') ?? [];
  const startSeconds = Number.parseFloat(start) || 0;
  const seconds = Number.parseFloat(duration);
  const packets = rows
    .filter(([section, stream]) => section === 'packet' && stream === video?.[1])
    .map(([section, , ...packet]) => [section, ...packet].join(','));
  return {
    facts: { seconds: seconds > 0 ? seconds : undefined, hasVideo: video !== undefined, hasAudio },
    startSeconds,
    packets: parsePackets(packets.join('\n'), startSeconds),
  };
}

async function list(ffprobePath: string, spans: readonly FileSpan[], work: ToolWork) {
  const intervals = spans
    .map(({ first, last }) => `${Math.max(0, first - marginSeconds)}%${last + marginSeconds}`)
    .join();
  // Without times no packet is needed; reading only the first is cheapest.
  const args = [
    '-v',
    'quiet',
    ...restrictedInput,
    '-show_entries',
    entries,
    '-read_intervals',
    intervals || '0%+#1',
  ];
  return parseListing(
    await runTool(ffprobePath, { ...work, args: [...args, '-of', 'csv', toolInput] }, readListing),
  );
}

/**
 * Reads the properties of a clip and extracts pictures of its frames and its sound, with one run of `ffprobe` and, when
 * all times are close together, one of `ffmpeg`. Returns undefined when the file cannot be read.
 * @throws ToolTimeoutError, the reason of an abort, or an error when a program is missing
 */
export async function readClip<T>(
  { ffmpegPath, ffprobePath }: FrameTools,
  { times, make, drawSound }: ClipRequest<T>,
  work: ToolWork,
): Promise<ClipContent<T> | undefined> {
  const runs = toRuns(times);
  const listing = await list(ffprobePath, runs.map(spanOf), work);
  if (!listing) return undefined;
  const { facts, startSeconds } = listing;
  const made: (T | undefined)[] = times.map(() => undefined);
  if (!facts.hasVideo) return { facts, made };
  let side = facts.hasAudio && canOpenTwice ? drawSound(facts) : undefined;
  const isLate = Math.abs(startSeconds) > maxStartSeconds;
  for (const run of runs) {
    const packets = isLate ? await listPackets(ffprobePath, spanOf(run), work) : listing.packets;
    const found = await decodeRun(ffmpegPath, { run, packets, ...(side && { side }) }, work, make);
    side = undefined;
    for (const [index, value] of found) made[index] = value;
  }
  return { facts, made };
}
