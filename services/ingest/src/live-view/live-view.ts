import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';
import type { Settings } from '@birdhub/domain/settings';
import { createLimiter, createSingleFlight } from '@birdhub/shared/async';
import { HubError } from '@birdhub/shared/errors';
import type { ServiceGuard } from '@birdhub/shared/outgoing';
import { type CameraResponse, readBody, requestCamera, unavailable } from './camera-http.js';
import { CameraRelay, type RelayLimits } from './camera-relay.js';
import { rewritePlaylist, SegmentNames } from './hls-playlist.js';
import { type LiveKind, liveKindOf, parseStreamUrl } from './live-kind.js';

/** Dependencies of {@link LiveView}. */
export interface LiveViewDeps {
  readonly guard: ServiceGuard;
  /** Key that signs the names of segments; the same in all processes of the service. */
  readonly signingKey: string;
  readonly limits?: Partial<RelayLimits>;
}

type CameraSetting = Settings['video']['cameras'][number];

/** A playlist or a segment of a stream. */
export type HlsPart =
  | { readonly kind: 'playlist'; readonly text: string }
  | {
      readonly kind: 'segment';
      readonly type: string;
      readonly length: number | undefined;
      /** The `Content-Range` of a partial response. */
      readonly range: string | undefined;
      readonly body: Readable;
    };

/** Options of a request for a part of a stream. */
export interface HlsRequest {
  /** The `Range` header, as playlists may refer to parts of files. */
  readonly range: string | undefined;
  readonly signal: AbortSignal;
}

const defaultLimits: RelayLimits = {
  maxViewers: 32,
  cameraTimeoutMs: 20_000,
  viewerTimeoutMs: 20_000,
  pictureIntervalMs: 1_000,
};
const maxRelays = 32;
const maxPlaylistBytes = 512 * 1024;
const maxSegmentBytes = 64 * 1024 * 1024;
const maxAnswerBytes = 256 * 1024;
const segmentTypes = /^(?:video\/|audio\/|application\/(?:octet-stream|mp4)|text\/vtt|binary\/octet-stream)/i;
const singleRange = /^bytes=\d{1,15}-\d{0,15}$/;
/** The name under which the playlist at the `stream_url` of a camera is served. */
export const mainPlaylist = 'index.m3u8';

/** Relays the live pictures of cameras, so that clients do not learn their addresses and passwords. */
export class LiveView {
  readonly #guard: ServiceGuard;
  readonly #names: SegmentNames;
  readonly #limits: RelayLimits;
  readonly #relays = new Map<string, { relay: CameraRelay; ready: Promise<void> }>();
  readonly #playlists = createSingleFlight<string>();
  readonly #requests = createLimiter({
    max: 64,
    maxWaiting: 128,
    waitTimeoutMs: 5_000,
    retryAfterSeconds: 2,
  });

  constructor({ guard, signingKey, limits }: LiveViewDeps) {
    this.#guard = guard;
    this.#names = new SegmentNames(signingKey);
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Returns how the live picture of a camera is shown. */
  kindOf({ stream_url, enabled }: CameraSetting): LiveKind {
    return enabled === false ? 'none' : liveKindOf(stream_url);
  }

  /** Returns a stream of pictures for one viewer. @throws HubError live_not_configured, live_not_playable, live_unavailable, busy */
  async watch(camera: CameraSetting): Promise<Readable> {
    const kind = this.kindOf(camera);
    const url = requireUrl(camera, kind === 'mjpeg' || kind === 'picture');
    const { relay, ready } = this.#relayOf(url);
    await ready;
    return relay.view();
  }

  #relayOf(url: URL) {
    const known = this.#relays.get(url.href);
    if (known?.relay.isOpen) return known;
    for (const [key, { relay }] of this.#relays) if (!relay.isOpen) this.#relays.delete(key);
    if (this.#relays.size >= maxRelays) throw new HubError('busy', { retryAfterSeconds: 10 });
    const relay = new CameraRelay(this.#limits);
    const ready = relay.start(this.#guard, url);
    const entry = { relay, ready };
    this.#relays.set(url.href, entry);
    return entry;
  }

  /** Returns a playlist of a camera, or a segment named by one. @throws HubError */
  async readHls(camera: CameraSetting, name: string, { range, signal }: HlsRequest): Promise<HlsPart> {
    const start = requireUrl(camera, this.kindOf(camera) === 'hls');
    const isMain = name === mainPlaylist;
    const path = isMain ? undefined : this.#names.path(camera.id, start.origin, name);
    if (!isMain && path === undefined) throw new HubError('file_not_found');
    const url = path === undefined ? start : atOrigin(start, path);
    if (/\.m3u8$/i.test(url.pathname)) {
      return { kind: 'playlist', text: await this.#readPlaylist(camera.id, url, signal) };
    }
    const release = await this.#requests.acquire({ signal });
    try {
      const request = { accept: '*/*', range: singleRange.test(range ?? '') ? range : undefined, signal };
      const response = await requestCamera(this.#guard, url, request);
      if (!isPlaylist(response)) return toSegment(response.message, release);
      const text = await this.#rewrite(camera.id, response);
      release();
      return { kind: 'playlist', text };
    } catch (error) {
      release();
      throw error;
    }
  }

  #readPlaylist(cameraId: string, url: URL, signal: AbortSignal): Promise<string> {
    return this.#playlists.run(
      `${cameraId} ${url.href}`,
      async (shared) =>
        this.#rewrite(cameraId, await requestCamera(this.#guard, url, { accept: '*/*', signal: shared })),
      signal,
    );
  }

  async #rewrite(cameraId: string, { message, url }: CameraResponse): Promise<string> {
    const text = (await readBody(message, maxPlaylistBytes)).toString();
    return rewritePlaylist(text, url, (path) => this.#names.name(cameraId, url.origin, path));
  }

  /**
   * Forwards the SDP offer of a browser to a camera by WHEP and returns its answer. Media is sent directly to the
   * browser.
   */
  async negotiate(camera: CameraSetting, offer: string, signal: AbortSignal): Promise<string> {
    const url = requireUrl(camera, this.kindOf(camera) === 'whep');
    const { message } = await requestCamera(this.#guard, url, {
      method: 'POST',
      accept: 'application/sdp',
      body: { type: 'application/sdp', text: offer },
      signal,
    });
    const answer = (await readBody(message, maxAnswerBytes)).toString();
    if (!answer.startsWith('v=0')) throw unavailable('Its address does not support WebRTC with WHEP.');
    return answer;
  }

  /** Ends all connections to cameras. */
  stop(): void {
    for (const { relay } of this.#relays.values()) relay.end();
    this.#relays.clear();
  }
}

function requireUrl(camera: CameraSetting, isRight: boolean): URL {
  const url = isRight ? parseStreamUrl(camera.stream_url) : undefined;
  if (url === undefined) throw new HubError('live_not_configured');
  return url;
}

/** The path is not resolved as a relative address: one that starts with two slashes would name another host. */
function atOrigin({ origin, username, password }: URL, path: string): URL {
  const url = new URL(origin + path);
  url.username = username;
  url.password = password;
  return url;
}

function isPlaylist({ message }: CameraResponse): boolean {
  return /mpegurl/i.test(message.headers['content-type'] ?? '');
}

function toSegment(response: IncomingMessage, release: () => void): HlsPart {
  response.once('close', release);
  const { 'content-type': type = 'application/octet-stream', 'content-range': range } = response.headers;
  const length = Number(response.headers['content-length'] ?? Number.NaN);
  if (!segmentTypes.test(type) || length > maxSegmentBytes) {
    response.destroy();
    throw unavailable('Its response is not part of a video.');
  }
  let bytes = 0;
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxSegmentBytes) done(new Error('a segment is too large'));
      else done(null, chunk);
    },
  });
  response.setTimeout(idleTimeoutMs, () => response.destroy(new Error('silent')));
  const timer = setTimeout(() => response.destroy(new Error('timeout')), maxSegmentMs);
  body.once('close', () => {
    clearTimeout(timer);
    response.destroy();
  });
  response.once('error', (error) => body.destroy(error));
  response.once('aborted', () => body.destroy(new Error('cut off')));
  response.pipe(body);
  return {
    kind: 'segment',
    type,
    length: Number.isNaN(length) ? undefined : length,
    range: response.statusCode === 206 ? range : undefined,
    body,
  };
}

const idleTimeoutMs = 20_000;
/** A segment lasts a few seconds; one that loads for this long is useless and occupies one of few connections. */
const maxSegmentMs = 120_000;
