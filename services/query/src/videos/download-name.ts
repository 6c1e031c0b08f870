import { extname } from 'node:path';
import { localStamp } from '@birdhub/shared/time';

/** What names the file that a person saves. */
export interface Named {
  readonly start: number;
  readonly cameraId: string;
  readonly videoPath: string;
}

const unsafe = /[\\/:*?"<>|\p{C}]/gu;

/** `2026-05-01_081530_garden.mp4`: local time and camera. */
export function downloadName({ start, cameraId, videoPath }: Named, zone: string): string {
  const time = localStamp(zone, start);
  const camera = cameraId.replace(unsafe, '_');
  return `${camera ? `${time}_${camera}` : time}${extname(videoPath)}`;
}
