import { extname } from 'node:path';
import { offsetMs } from '@birdhub/shared/time';

/** What names the file that a person saves. */
export interface Named {
  readonly start: number;
  readonly cameraId: string;
  readonly videoPath: string;
}

const unsafe = /[\\/:*?"<>|\p{C}]/gu;

/** `2026-05-01_081530_garden.mp4`: local time and camera. */
export function downloadName({ start, cameraId, videoPath }: Named, zone: string): string {
  const local = new Date(start + offsetMs(zone, start)).toISOString();
  const time = `${local.slice(0, 10)}_${local.slice(11, 19).replaceAll(':', '')}`;
  const camera = cameraId.replace(unsafe, '_');
  return `${camera ? `${time}_${camera}` : time}${extname(videoPath)}`;
}

const escapeMore = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;

/** The `Content-Disposition` of a file to save: RFC 6266, with the whole name as RFC 8187 has it. */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const extended = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, escapeMore);
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}
