import { text } from 'node:stream/consumers';
import {
  type FrameTools,
  type MediaFacts,
  restrictedInput,
  runTool,
  type ToolWork,
  toolInput,
} from '@birdhub/domain/media';
import pLimit, { type LimitFunction } from 'p-limit';

/** The tools that read recordings, and a limit on concurrent runs. */
export interface MediaTools extends FrameTools {
  readonly limit: LimitFunction;
}

interface ProbeOutput {
  readonly format?: { readonly duration?: string };
  readonly streams?: readonly {
    readonly codec_type?: string;
    readonly disposition?: { readonly attached_pic?: number };
  }[];
}

/** An 8K picture. */
export const maxPixels = 7_680 * 4_320;

const probeArgs = [
  ...['-v', 'quiet', ...restrictedInput],
  ...['-show_entries', 'format=duration:stream=codec_type:stream_disposition=attached_pic'],
  ...['-of', 'json', toolInput],
];

/** Creates the tools shared by the jobs of a process. */
export function createMediaTools(
  { ffmpegPath, ffprobePath }: FrameTools,
  maxConcurrency: number,
): MediaTools {
  return { ffmpegPath, ffprobePath, limit: pLimit(maxConcurrency) };
}

/**
 * Reads the facts of a file by `ffprobe`; undefined when it cannot be read.
 * @throws ToolTimeoutError, or an error when the program is not installed
 */
export async function probeMedia(ffprobePath: string, work: ToolWork): Promise<MediaFacts | undefined> {
  return parseProbe(await runTool(ffprobePath, { ...work, args: probeArgs }, text));
}

/** Parses the JSON of `ffprobe`; undefined when there is neither video nor audio. */
export function parseProbe(json: string): MediaFacts | undefined {
  const { format, streams = [] } = JSON.parse(json || '{}') as ProbeOutput;
  const hasVideo = streams.some(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1,
  );
  const hasAudio = streams.some(({ codec_type }) => codec_type === 'audio');
  const seconds = Number(format?.duration);
  if (!hasVideo && !hasAudio) return undefined;
  return { seconds: seconds > 0 ? seconds : undefined, hasVideo, hasAudio };
}

/** Returns whether bytes begin and end as a JPEG does. */
export function isCompleteJpeg(bytes: Buffer): boolean {
  return (
    bytes.length > 4 && bytes.readUInt16BE(0) === 0xff_d8 && bytes.readUInt16BE(bytes.length - 2) === 0xff_d9
  );
}
