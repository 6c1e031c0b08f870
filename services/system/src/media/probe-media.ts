import { text } from 'node:stream/consumers';
import { confined, type MediaFacts, runTool, type ToolWork, toolInput } from '@birdhub/domain/media';

interface Probe {
  readonly format?: { readonly duration?: string };
  readonly streams?: readonly {
    readonly codec_type?: string;
    readonly disposition?: { readonly attached_pic?: number };
  }[];
}

const args = [
  ...['-v', 'quiet', ...confined],
  ...['-show_entries', 'format=duration:stream=codec_type:stream_disposition=attached_pic'],
  ...['-of', 'json', toolInput],
];

/** What `ffprobe` found, as JSON; undefined when that is neither video nor audio. */
export function readProbe(json: string): MediaFacts | undefined {
  const { format, streams = [] } = JSON.parse(json || '{}') as Probe;
  const hasVideo = streams.some(
    ({ codec_type, disposition }) => codec_type === 'video' && disposition?.attached_pic !== 1,
  );
  const hasAudio = streams.some(({ codec_type }) => codec_type === 'audio');
  const seconds = Number(format?.duration);
  if (!hasVideo && !hasAudio) return undefined;
  return { seconds: seconds > 0 ? seconds : undefined, hasVideo, hasAudio };
}

/**
 * Looks into a file; undefined when nobody can read it.
 * @throws ToolTimeoutError, or an error when the program is not there
 */
export async function probeMedia(ffprobePath: string, work: ToolWork): Promise<MediaFacts | undefined> {
  return readProbe(await runTool(ffprobePath, { ...work, args }, text));
}
