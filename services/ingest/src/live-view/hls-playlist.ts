import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
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

const cipher = 'aes-256-ctr';
const vectorBytes = 16;

/**
 * Creates names for addresses in the playlists of a camera, and resolves only names that it created. A name is a signature
 * and the encrypted path, which may contain a secret. The same path always gets the same name: the initialization vector
 * is the start of the signature (as in RFC 5297).
 */
export class SegmentNames {
  readonly #key: string;
  readonly #pathKey: Buffer;

  constructor(key: string) {
    this.#key = key;
    this.#pathKey = createHmac('sha256', key).update('encryption of paths').digest();
  }

  /** Returns a name for a path at the origin of a camera's stream. */
  name(cameraId: string, origin: string, path: string): string {
    const signature = this.#sign(cameraId, origin, path);
    const encryption = createCipheriv(cipher, this.#pathKey, initialVector(signature));
    return `${signature}.${encryption.update(path, 'utf8', 'base64url')}${encryption.final('base64url')}`;
  }

  /** Returns the path of a name; undefined for another camera or origin, or a forged name. */
  path(cameraId: string, origin: string, name: string): string | undefined {
    const [signature = '', encrypted = ''] = name.split('.');
    const vector = initialVector(signature);
    if (vector.length !== vectorBytes) return undefined;
    const decryption = createDecipheriv(cipher, this.#pathKey, vector);
    const path = decryption.update(encrypted, 'base64url', 'utf8') + decryption.final('utf8');
    // Compares the whole name, as bytes can be encoded in several ways.
    const expected = Buffer.from(this.name(cameraId, origin, path));
    const given = Buffer.from(name);
    return given.length === expected.length && timingSafeEqual(given, expected) ? path : undefined;
  }

  #sign(cameraId: string, origin: string, path: string): string {
    const text = JSON.stringify([cameraId, origin, path]);
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 27);
  }
}

const initialVector = (signature: string) => Buffer.from(signature, 'base64url').subarray(0, vectorBytes);

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
