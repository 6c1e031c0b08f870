import { extname } from 'node:path';
import { type MediaFile, pathInRecordings } from '@birdhub/domain/media';
import { toFileName } from '@birdhub/shared/files';
import { localStamp } from '@birdhub/shared/time';

/** The URLs of the files of a recording. */
export interface VideoUrls {
  readonly video_url: string;
  readonly poster_url: string;
  readonly spectrogram_url: string | null;
}

/** Returns the version in the URL of a picture, which changes with the file. */
export const fileVersion = ({ size, modifiedMs }: Pick<MediaFile, 'size' | 'modifiedMs'>): string =>
  `${size.toString(36)}-${modifiedMs.toString(36)}`;

/** Returns the URLs of a recording's video, poster and spectrogram below the hub's prefix. */
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

/** The properties that determine the name of a downloaded file. */
export interface Named {
  readonly start: number;
  readonly cameraId: string;
  readonly videoPath: string;
}

/** Returns the name of a downloaded file by local time and camera: `2026-05-01_081530_garden.mp4`. */
export function downloadName({ start, cameraId, videoPath }: Named, zone: string): string {
  const time = localStamp(zone, start);
  return `${toFileName(cameraId ? `${time}_${cameraId}` : time)}${extname(videoPath)}`;
}
