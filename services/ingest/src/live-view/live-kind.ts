/** How the live picture of a camera can be shown; `none` without an address that works in a browser. */
export const liveKinds = ['mjpeg', 'picture', 'hls', 'whep', 'none'] as const;

/** One of {@link liveKinds}. */
export type LiveKind = (typeof liveKinds)[number];

const stillPicture = /\.jpe?g$/i;
const playlist = /\.m3u8$/i;
/** MediaMTX ends WHEP addresses in `/whep`, go2rtc takes offers at `/api/webrtc`. */
const whep = /\/(?:whep|api\/webrtc)\/?$/i;

/** Returns what an address of a live picture is, by its scheme and path. */
export function liveKindOf(streamUrl: string | undefined): LiveKind {
  const url = parseStreamUrl(streamUrl);
  if (url === undefined) return 'none';
  if (playlist.test(url.pathname)) return 'hls';
  if (whep.test(url.pathname)) return 'whep';
  return stillPicture.test(url.pathname) ? 'picture' : 'mjpeg';
}

/** Returns an address that can be requested by HTTP; undefined for others, such as `rtsp://`. */
export function parseStreamUrl(streamUrl: string | undefined): URL | undefined {
  if (!streamUrl || !URL.canParse(streamUrl.trim())) return undefined;
  const url = new URL(streamUrl.trim());
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}
