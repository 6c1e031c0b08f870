import type { Readable } from 'node:stream';
import type { Settings, SettingsReader } from '@birdhub/domain/settings';
import { access, type HubApp, isUnlocked, limits, requireUnlocked, whileAwaited } from '@birdhub/shared/app';
import { AddressPlaces, forwardedKey } from '@birdhub/shared/attempts';
import { literals } from '@birdhub/shared/config';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { frameBoundary } from './camera-relay.js';
import { liveKinds } from './live-kind.js';
import { type LiveView, mainPlaylist } from './live-view.js';

/** Dependencies of these routes. */
export interface LiveViewRoutesDeps {
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly liveView: LiveView;
}

const bytes = Type.Unsafe<never>({ type: 'string', format: 'binary' });
const cameraId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\u0000]*$',
  description: 'Id of the camera',
});
const common = { tags: ['cameras'], security: access.open, params: Type.Object({ camera_id: cameraId }) };
/** Maximum live pictures of a camera for one address. */
const maxViewsPerAddress = 16;
/** Maximum playlists and segments that are being sent to one address, of the 64 of all. */
const maxPartsPerAddress = 32;
const unlockedOnly = 'With `general.require_auth_for_video_stream`, the hub must be unlocked.';
const content = (type: string, description: string) => ({
  description,
  content: { [type]: { schema: bytes } },
});

const schemas = {
  kind: {
    ...common,
    operationId: 'getLiveView',
    summary: 'Get the live picture type of a camera',
    description: 'Determined from the scheme and path of its `stream_url`, without a request to the camera.',
    response: {
      200: Type.Object({
        kind: literals([...liveKinds], {
          description:
            '`mjpeg` and `picture` (a JPEG that is requested every second): use `/live/mjpeg`; `hls`: use ' +
            '`/live/hls/index.m3u8`; `whep`: WebRTC, use `/live/whep`; `none`: disabled, no `stream_url`, ' +
            'or one that browsers cannot show',
        }),
      }),
    },
  },
  mjpeg: {
    ...common,
    operationId: 'watchLiveMjpeg',
    summary: 'Stream the live picture of a camera as MJPEG',
    description:
      'All viewers share one connection to the camera. Slow viewers receive fewer pictures; a viewer that ' +
      `reads none for 20 seconds is disconnected. An address can have ${maxViewsPerAddress} streams of a ` +
      `camera. ${unlockedOnly} The stream ends when the session or the token of its request ends.`,
    response: { 200: content('multipart/x-mixed-replace', 'A continuous stream of JPEG pictures') },
  },
  hls: {
    ...common,
    operationId: 'watchLiveHls',
    summary: 'Get a playlist or a segment of the live picture of a camera',
    description:
      `Start with \`${mainPlaylist}\`, then request the names in the playlists. Only files on the origin ` +
      `of the \`stream_url\` of the camera are served. ${unlockedOnly}`,
    params: Type.Object({
      camera_id: cameraId,
      part: Type.String({ maxLength: 4_096, description: `\`${mainPlaylist}\`, or a name in a playlist` }),
    }),
    response: {
      200: content('application/octet-stream', 'The playlist or the segment'),
      206: content('application/octet-stream', 'The requested range of a segment'),
    },
  },
  whep: {
    ...common,
    operationId: 'negotiateLiveWebrtc',
    summary: 'Send a WebRTC offer to a camera',
    description:
      'Forwards the offer to the camera with WHEP. The camera then sends its pictures directly to the ' +
      `browser. ${unlockedOnly}`,
    body: Type.Object(
      { sdp: Type.String({ maxLength: 60_000, pattern: '^v=0', description: 'The offer (RFC 8866)' }) },
      { additionalProperties: false },
    ),
    response: {
      200: Type.Object({ sdp: Type.String({ description: 'The answer of the camera (RFC 8866)' }) }),
    },
  },
};

/** `GET /cameras/:id/live`, `GET …/live/mjpeg`, `GET …/live/hls/:part`, `POST …/live/whep` */
export function liveViewRoutes(app: HubApp, { settings, liveView }: LiveViewRoutesDeps): void {
  const url = '/api/ui/cameras/:camera_id/live';
  const viewPlaces = new AddressPlaces(maxViewsPerAddress);
  const partPlaces = new AddressPlaces(maxPartsPerAddress);

  app.get(url, { schema: schemas.kind }, async ({ params: { camera_id } }) => ({
    kind: liveView.kindOf(requireCamera(await settings.current(), camera_id)),
  }));

  app.get(`${url}/mjpeg`, { schema: schemas.mjpeg }, async (request, reply) => {
    const camera = await requireWatchable(request);
    viewPlaces.hold(`${camera.id} ${forwardedKey(request)}`, reply.raw);
    const disconnected = whileAwaited(reply);
    const stream = await liveView.watch(camera);
    disconnected.addEventListener('abort', () => stream.destroy(), { once: true });
    if (disconnected.aborted) stream.destroy();
    endWithSettings(stream, camera, isUnlocked(request));
    return reply
      .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
      .type(`multipart/x-mixed-replace; boundary=${frameBoundary}`)
      .send(stream);
  });

  app.get(`${url}/hls/:part`, { schema: schemas.hls }, async (request, reply) => {
    const camera = await requireWatchable(request);
    partPlaces.hold(forwardedKey(request), reply.raw);
    const { range } = request.headers;
    const part = await liveView.readHls(camera, request.params.part, { range, signal: whileAwaited(reply) });
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (part.kind === 'playlist') return reply.type('application/vnd.apple.mpegurl').send(part.text);
    if (part.length !== undefined) reply.header('content-length', part.length);
    if (part.range !== undefined) reply.code(206).header('content-range', part.range);
    return reply.type(part.type).send(part.body);
  });

  app.post(
    `${url}/whep`,
    { schema: schemas.whep, config: { limit: limits.subscription } },
    async (request, reply) => {
      const camera = await requireWatchable(request);
      return { sdp: await liveView.negotiate(camera, request.body.sdp, whileAwaited(reply)) };
    },
  );

  /** Ends a picture when the settings no longer allow it, or its camera is changed or deleted. */
  function endWithSettings(stream: Readable, camera: CameraSetting, hasUnlocked: boolean): void {
    if (stream.destroyed) return;
    const stopWatching = settings.watch(
      ({ general, video }) => {
        const isAllowed = hasUnlocked || !general.require_auth_for_video_stream;
        const current = video.cameras.find(({ id }) => id === camera.id);
        const isSame = current?.enabled === camera.enabled && current?.stream_url === camera.stream_url;
        if (!isAllowed || !isSame) stream.destroy();
      },
      ['general', 'video'],
    );
    stream.once('close', stopWatching);
  }

  async function requireWatchable(request: FastifyRequest<{ Params: { camera_id: string } }>) {
    const current = await settings.current();
    if (current.general.require_auth_for_video_stream) requireUnlocked(request);
    return requireCamera(current, request.params.camera_id);
  }
}

type CameraSetting = Settings['video']['cameras'][number];

function requireCamera({ video }: Settings, id: string) {
  const camera = video.cameras.find((one) => one.id === id);
  if (!camera) throw new HubError('camera_not_found');
  return camera;
}
