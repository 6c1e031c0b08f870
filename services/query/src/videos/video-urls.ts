import { pathInRecordings } from '@birdhub/shared/media';

/** Where callers find what belongs to a recording. */
export interface VideoUrls {
  readonly video_url: string;
  readonly poster_url: string;
  readonly spectrogram_url: string | null;
}

/** The addresses of a recording's video, poster and spectrogram below the hub's prefix. */
export function videoUrls(prefix: string, videoId: number, spectrogramPath: string | null): VideoUrls {
  const video = `${prefix}/api/ui/videos/${videoId}`;
  const path =
    spectrogramPath && pathInRecordings(spectrogramPath).split('/').map(encodeURIComponent).join('/');
  return {
    video_url: `${video}/stream`,
    poster_url: `${video}/poster`,
    spectrogram_url: path ? `${prefix}/data/recordings/${path}` : null,
  };
}
