import { hasMediaFile, mediaKindOf, readScale, statMediaFile } from '@birdhub/domain/media';
import type { FileRemover, RecordingWriter } from '@birdhub/domain/recordings';
import type { SettingsReader } from '@birdhub/domain/settings';
import { access, authorOf, type HubApp, isYes, publicPrefix } from '@birdhub/shared/app';
import { Type } from 'typebox';
import { fileVersion, videoUrls } from '../public-urls.js';
import type { CacheTags } from '../response-cache/cache-entries.js';
import { readyJson, tagged } from '../response-cache/response-cache.js';
import {
  dayOn,
  getDetectionFrames,
  getVideoDetail,
  getVideoStart,
  readDayZone,
  readNeighborhood,
  type VideoDetail,
} from './video.store.js';
import {
  DetectionFramesSchema,
  type Neighbors,
  NeighborsQuerySchema,
  NeighborsSchema,
  VideoParamsSchema,
  VideoSchema,
} from './videos.schema.js';

/** Dependencies of these routes. */
export interface VideoRoutesDeps {
  readonly recordingsDir: string;
  readonly settings: SettingsReader;
  readonly writer: Pick<RecordingWriter, 'markFavorite' | 'remove'>;
  readonly files: FileRemover;
}

/** Routes of recordings, except those of their files. */
export function videoRoutes(app: HubApp, deps: VideoRoutesDeps): void {
  detailRoutes(app, deps);
  neighborsRoutes(app, deps);
  changeRoutes(app, deps);
}

const reading = { tags: ['videos'], security: access.open, params: VideoParamsSchema };

const detailRoute = {
  ...reading,
  operationId: 'getVideo',
  summary: 'Get a recording',
  response: { 200: VideoSchema },
};

const framesRoute = {
  ...reading,
  operationId: 'getDetectionFrames',
  summary: 'Get the detection boxes of a recording',
  response: { 200: DetectionFramesSchema },
};

function tagsOf({ start, end }: Pick<VideoDetail, 'start' | 'end'>): CacheTags {
  return { recordings: { from: start.getTime(), to: end.getTime() }, species: true };
}

/** `GET /videos/:id`, `GET /videos/:id/detection-frames` */
function detailRoutes(app: HubApp, { recordingsDir }: VideoRoutesDeps): void {
  const config = { cache: {} };
  app.get('/api/ui/videos/:id', { schema: detailRoute, config }, async (request) => {
    const { id } = request.params;
    const detail = await getVideoDetail(request.readPool, id);
    const { spectrogramPath } = detail;
    const isAwaited = detail.media === 'pending';
    const hasArrived = isAwaited && (await hasMediaFile(recordingsDir, detail.videoPath));
    const spectrogram =
      spectrogramPath === null ? undefined : await statMediaFile(recordingsDir, spectrogramPath);
    const version = spectrogram && fileVersion(spectrogram);
    const kilohertz = spectrogramPath === null ? undefined : await readScale(recordingsDir, spectrogramPath);
    const urls = videoUrls(publicPrefix(request), id, spectrogramPath, version);
    const own = JSON.stringify({
      media: hasArrived ? 'ready' : detail.media,
      media_kind: detail.media === 'none' ? null : mediaKindOf(detail.videoPath),
      ...urls,
      spectrogram_khz: kilohertz ?? null,
    });
    // The arrival of a file causes no change notice, so the response is not cached while it is awaited.
    const tags = isAwaited ? undefined : tagsOf(detail);
    return readyJson(`${own.slice(0, -1)},${detail.body.slice(1)}`, { tags });
  });

  app.get('/api/ui/videos/:id/detection-frames', { schema: framesRoute, config }, async (request) => {
    const frames = await getDetectionFrames(request.readPool, request.params.id);
    return readyJson(frames.body, { tags: tagsOf(frames) });
  });
}

const neighborsRoute = {
  operationId: 'getVideoNeighbors',
  summary: 'Get the neighbours of a recording',
  description:
    'The day is the calendar day on which the recording starts. Recordings are ordered by start, then by id.',
  tags: ['videos'],
  security: access.open,
  params: VideoParamsSchema,
  querystring: NeighborsQuerySchema,
  response: { 200: NeighborsSchema },
};

/** `GET /videos/:id/neighbors` */
function neighborsRoutes(app: HubApp, { settings }: VideoRoutesDeps): void {
  const config = { cache: { tags: { settings: true } } } as const;
  app.get(
    '/api/ui/videos/:id/neighbors',
    { schema: neighborsRoute, config },
    async ({ params: { id }, query, readPool }) => {
      const { general } = await settings.current();
      const dayZone = readDayZone(query, general.timezone);
      const isCrossDay = isYes(query.cross_day);
      const start = await getVideoStart(readPool, id);
      const day = dayOn(dayZone, start);
      const place = await readNeighborhood(readPool, { id, start }, day, isCrossDay);
      const neighbors: Neighbors = {
        day_scope: query.day_scope,
        day_label: day.day,
        timezone_offset_minutes: day.offsetMinutes,
        cross_day: isCrossDay,
        previous_id: place.previousId,
        next_id: place.nextId,
        index: place.index,
        total: place.total,
      };
      return tagged(neighbors, { recordings: isCrossDay ? 'all' : { from: day.start, to: day.end } });
    },
  );
}

const changing = { tags: ['videos'], security: access.contributor, params: VideoParamsSchema };

const favoriteRoute = {
  ...changing,
  operationId: 'updateVideo',
  summary: 'Set whether a recording is a favourite',
  body: Type.Object(
    {
      favorite: Type.Boolean({
        description: 'Whether the recording is a favourite; favourites are never deleted automatically',
      }),
    },
    { additionalProperties: false },
  ),
  response: {
    200: Type.Object({
      message: Type.String({ description: 'Human-readable result' }),
      id: Type.Integer({ description: 'Id of the recording' }),
      favorite: Type.Boolean({ description: 'Whether the recording is a favourite now' }),
    }),
  },
};

const deleteRoute = {
  ...changing,
  operationId: 'deleteVideo',
  summary: 'Delete a recording with its detections and files',
  description: 'Visits are updated without the recording. A later post of the same recording stores nothing.',
  response: { 200: Type.Object({ message: Type.String({ description: 'Human-readable result' }) }) },
};

/** `PATCH /videos/:id`, `DELETE /videos/:id` */
function changeRoutes(app: HubApp, { writer, files }: VideoRoutesDeps): void {
  app.patch('/api/ui/videos/:id', { schema: favoriteRoute }, async (request) => {
    const { id } = request.params;
    const { favorite } = request.body;
    await writer.markFavorite(id, favorite);
    return { message: 'success', id, favorite };
  });

  app.delete('/api/ui/videos/:id', { schema: deleteRoute }, async (request) => {
    await writer.remove(request.params.id, authorOf(request));
    await files.removeLatest();
    return { message: 'success' };
  });
}
