import { type MediaFile, pathInRecordings } from '@birdhub/domain/media';

/** Where callers find what belongs to a recording. */
export interface VideoUrls {
  readonly video_url: string;
  readonly poster_url: string;
  readonly spectrogram_url: string | null;
}

/** What the address of a picture says of its content: it changes when the file does. */
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
