import { createHmac, timingSafeEqual } from 'node:crypto';
import { unavailable } from './camera-http.js';

/**
 * The tags that a player needs to read whole segments (RFC 8216). All others are removed: those of low latency, which need
 * blocking requests to the camera, those that refer to other hosts, and a camera's own, which may contain its address.
 */
const allowedTags =
  /^#(?:EXTM3U|EXTINF|EXT-X-(?:VERSION|TARGETDURATION|MEDIA-SEQUENCE|DISCONTINUITY|DISCONTINUITY-SEQUENCE|ENDLIST|PLAYLIST-TYPE|I-FRAMES-ONLY|BYTERANGE|KEY|MAP|PROGRAM-DATE-TIME|GAP|BITRATE|MEDIA|STREAM-INF|I-FRAME-STREAM-INF|SESSION-KEY|INDEPENDENT-SEGMENTS|START))(?![A-Z-])/;
/** The title of a segment may be any text. */
const titleOfSegment = /^(#EXTINF:[^,]*,).*/;
const uriAttribute = /URI="([^"]*)"/g;
const maxLines = 20_000;

/** Creates signed names for addresses in the playlists of a camera, and resolves only names that it created. */
export class SegmentNames {
  readonly #key: string;

  constructor(key: string) {
    this.#key = key;
  }

  /** Returns a name for a path at the origin of a camera's stream. */
  name(cameraId: string, origin: string, path: string): string {
    return `${this.#sign(cameraId, origin, path)}.${Buffer.from(path).toString('base64url')}`;
  }

  /** Returns the path of a name; undefined for another camera or origin, or a forged name. */
  path(cameraId: string, origin: string, name: string): string | undefined {
    const path = Buffer.from(name.split('.')[1] ?? '', 'base64url').toString();
    // Compares the whole name, as a path can be encoded in several ways.
    const expected = Buffer.from(this.name(cameraId, origin, path));
    const given = Buffer.from(name);
    return given.length === expected.length && timingSafeEqual(given, expected) ? path : undefined;
  }

  #sign(cameraId: string, origin: string, path: string): string {
    const text = JSON.stringify([cameraId, origin, path]);
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 27);
  }
}

/**
 * Rewrites the addresses of a playlist (RFC 8216): segments, keys, maps and other playlists of the same origin.
 * @throws HubError live_unavailable when it is invalid or refers to another origin
 */
export function rewritePlaylist(text: string, base: URL, nameOf: (path: string) => string): string {
  if (!text.startsWith('#EXTM3U')) throw unavailable('Its address does not return an HLS playlist.');
  const lines = text.split(/\r?\n/);
  if (lines.length > maxLines) throw unavailable('Its playlist is too long.');
  const replaced = (address: string): string => {
    const url = URL.canParse(address, base.href) ? new URL(address, base) : undefined;
    if (url?.origin !== base.origin) throw unavailable('Its playlist refers to another host.');
    return nameOf(url.pathname + url.search);
  };
  const rewritten = lines.flatMap((line) => {
    if (line.trim() === '') return [];
    if (!line.startsWith('#')) return [replaced(line.trim())];
    if (!allowedTags.test(line)) return [];
    const tag = line.replace(titleOfSegment, '$1');
    return [tag.replace(uriAttribute, (_whole, address: string) => `URI="${replaced(address)}"`)];
  });
  return `${rewritten.join('\n')}\n`;
}
