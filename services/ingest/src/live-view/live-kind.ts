/** How browsers can show the live picture of a camera; `none` without a suitable address. */
export const liveKinds = ['mjpeg', 'picture', 'hls', 'whep', 'none'] as const;

/** One of {@link liveKinds}. */
export type LiveKind = (typeof liveKinds)[number];

const stillPicture = /\.jpe?g$/i;
const playlist = /\.m3u8$/i;
/** Videos that are neither an MJPEG stream nor HLS. */
const otherVideo = /\.(?:avi|flv|mkv|mov|mp4|mpd|ts|webm)$/i;
/** WHEP addresses of MediaMTX end in `/whep`; go2rtc accepts offers at `/api/webrtc`. */
const whep = /\/(?:whep|api\/webrtc)\/?$/i;

/** Returns the kind of a live picture by the scheme and path of its address. */
export function liveKindOf(streamUrl: string | undefined): LiveKind {
  const url = parseStreamUrl(streamUrl);
  if (url === undefined || otherVideo.test(url.pathname)) return 'none';
  if (playlist.test(url.pathname)) return 'hls';
  if (whep.test(url.pathname)) return 'whep';
  return stillPicture.test(url.pathname) ? 'picture' : 'mjpeg';
}

/** Parses an HTTP address; undefined for others, such as `rtsp://`. */
export function parseStreamUrl(streamUrl: string | undefined): URL | undefined {
  if (!streamUrl || !URL.canParse(streamUrl.trim())) return undefined;
  const url = new URL(streamUrl.trim());
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
