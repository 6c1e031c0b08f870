import { text } from 'node:stream/consumers';
import { type Packet, parsePackets } from './packet-times.js';
import { runTool, type ToolRun, toolInput } from './run-tool.js';

/** A file and how long, and by whose leave, a tool may work on it. */
export type ToolWork = Omit<ToolRun, 'args'>;

/** A span of a file in seconds from its start. */
export interface FileSpan {
  readonly first: number;
  readonly last: number;
}

/** Before everything that is opened: a file that was sent in must not have others read, here or elsewhere. */
export const confined = ['-protocol_whitelist', 'file', '-format_whitelist', 'mov,mp4,matroska,webm'];

const marginSeconds = 1;

/**
 * The packets of a file's video around a span, from the key frame before it; those before its end for a span that
 * lies beyond. None when there is no video.
 */
export async function listPackets(ffprobe: string, span: FileSpan, work: ToolWork): Promise<Packet[]> {
  const ask = (args: readonly string[]) =>
    runTool(ffprobe, { ...work, args: ['-v', 'quiet', ...confined, ...args, '-of', 'csv', toolInput] }, text);
  const [, startText = ''] = (await ask(['-show_entries', 'format=start_time'])).trim().split(',');
  if (!startText) return [];
  const start = Number.parseFloat(startText) || 0;
  const from = start + Math.max(0, span.first - marginSeconds);
  const to = start + span.last + marginSeconds;
  const wanted = ['-select_streams', 'V:0', '-show_entries', 'packet=pts,pts_time,flags'];
  const listing = await ask([...wanted, '-read_intervals', `${from}%${to}`]);
  return parsePackets(listing, start);
}
