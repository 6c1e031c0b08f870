import { extname } from 'node:path';
import { type MediaFile, pathInRecordings } from '@birdhub/domain/media';
import { localStamp } from '@birdhub/shared/time';

/** The addresses of the files of a recording. */
export interface VideoUrls {
  readonly video_url: string;
  readonly poster_url: string;
  readonly spectrogram_url: string | null;
}

/** The version in the address of a picture, which changes when the file does. */
export const fileVersion = ({ size, modifiedMs }: Pick<MediaFile, 'size' | 'modifiedMs'>): string =>
  `${size.toString(36)}-${modifiedMs.toString(36)}`;

/** The addresses of a recording's video, poster and spectrogram below the hub's prefix. */
export function videoUrls(
  prefix: string,
  videoId: number,
  spectrogramPath: string | null,
  spectrogramVersion?: string,
): VideoUrls {
  const video = `${prefix}/api/ui/videos/${videoId}`;
  const path =
    spectrogramPath && pathInRecordings(spectrogramPath).split('/').map(encodeURIComponent).join('/');
  const version = spectrogramVersion === undefined ? '' : `?v=${spectrogramVersion}`;
  return {
    video_url: `${video}/stream`,
    poster_url: `${video}/poster`,
    spectrogram_url: path ? `${prefix}/data/recordings/${path}${version}` : null,
  };
}

/** The parts of the name of a downloaded file. */
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
