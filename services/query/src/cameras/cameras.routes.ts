import type { SettingsReader } from '@birdhub/domain/settings';
import { readWindow } from '@birdhub/domain/timeline';
import { access, type HubApp, publicPrefix } from '@birdhub/shared/app';
import { HubError } from '@birdhub/shared/errors';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Static } from 'typebox';
import { videoUrls } from '../public-urls.js';
import { type RouteCacheOptions, tagged } from '../response-cache/response-cache.js';
import {
  findNewestVideo,
  hasCameraRecordings,
  maxTracks,
  readCameraActivity,
  readTracks,
} from './camera-activity.store.js';
import { countPlaces, placeColumns, placeRows, selectPaths } from './camera-places.js';
import {
  CameraActivitySchema,
  CameraParamsSchema,
  CameraPlacesSchema,
  CamerasSchema,
  type CameraWindow,
  CameraWindowSchema,
  maxCameraDays,
} from './cameras.schema.js';
import { listSeenCameras, mergeCameras } from './cameras.store.js';

const common = { tags: ['cameras'], security: access.open };
const ofCamera = { ...common, params: CameraParamsSchema, querystring: CameraWindowSchema };

const schemas = {
  list: {
    ...common,
    operationId: 'listCameras',
    summary: 'List cameras',
    description: 'Returns the cameras in the settings and in all recordings.',
    response: { 200: CamerasSchema },
  },
  activity: {
    ...ofCamera,
    operationId: 'getCameraActivity',
    summary: 'Count the visits of a camera by hour and species',
    description:
      'Counts the visits that start in the window. Generic species and other animals are left out.',
    response: { 200: CameraActivitySchema },
  },
  places: {
    ...ofCamera,
    operationId: 'getCameraPlaces',
    summary: 'Get the positions of birds in the picture of a camera',
    description:
      'Returns a grid of counts and the paths of birds that moved, from the boxes of the newest detections ' +
      'of recordings that start in the window. Birds that were only heard have no position.',
    response: { 200: CameraPlacesSchema },
  },
};

interface OfCamera {
  readonly Params: Static<typeof CameraParamsSchema>;
  readonly Querystring: CameraWindow;
}

/** `GET /cameras`, `GET /cameras/:camera_id/activity`, `GET /cameras/:camera_id/places` */
export function cameraRoutes(app: HubApp, { settings }: { settings: SettingsReader }): void {
  const url = '/api/ui/cameras';
  const config = { cache: { tags: { recordings: 'all', settings: true } } } as const;
  app.get(url, { schema: schemas.list, config }, async ({ readPool }) => {
    const [{ video }, seen] = await Promise.all([settings.current(), listSeenCameras(readPool)]);
    return { cameras: mergeCameras(video.cameras, seen) };
  });

  async function searchOf({ params, query }: Pick<FastifyRequest<OfCamera>, 'params' | 'query'>) {
    const zone = (await settings.current()).general.timezone;
    return { cameraId: params.camera_id, window: readWindow(query, zone, maxCameraDays), zone };
  }

  /** @throws HubError camera_not_found when neither settings nor recordings contain it */
  async function requireKnown(pool: pg.Pool, id: string): Promise<void> {
    const { video } = await settings.current();
    if (video.cameras.some((camera) => camera.id === id) || (await hasCameraRecordings(pool, id))) return;
    throw new HubError('camera_not_found');
  }

  const cache: RouteCacheOptions = {
    tags: { species: true, settings: true },
    async key(request: FastifyRequest<OfCamera>) {
      return JSON.stringify([await searchOf(request), publicPrefix(request)]);
    },
  };

  app.get(`${url}/:camera_id/activity`, { schema: schemas.activity, config: { cache } }, async (request) => {
    const { zone, ...search } = await searchOf(request);
    await requireKnown(request.readPool, search.cameraId);
    const { start: from, end: to } = search.window;
    return tagged(await readCameraActivity(request.readPool, search, zone), { recordings: { from, to } });
  });

  app.get(`${url}/:camera_id/places`, { schema: schemas.places, config: { cache } }, async (request) => {
    const search = await searchOf(request);
    await requireKnown(request.readPool, search.cameraId);
    const [tracks, videoId] = await Promise.all([
      readTracks(request.readPool, search),
      findNewestVideo(request.readPool, search),
    ]);
    const places = {
      birds: tracks.length,
      is_complete: tracks.length < maxTracks,
      columns: placeColumns,
      rows: placeRows,
      cells: countPlaces(tracks),
      paths: selectPaths(tracks),
      poster_url: videoId === undefined ? null : videoUrls(publicPrefix(request), videoId, null).poster_url,
    };
    const { start: from, end: to } = search.window;
    return tagged(places, { recordings: { from, to } });
  });
}
