import { windowParameters } from '@birdhub/domain/timeline';
import { type Static, Type } from 'typebox';
import { imageUrl, instant, orNull, text, textOrNull } from '../wire.schema.js';
import { maxTracks } from './camera-activity.store.js';
import { maxPaths, placeColumns, placeRows } from './camera-places.js';

/** A camera from the settings or from recordings. */
const CameraSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the camera, as used by processors' }),
    name: Type.String({ description: 'Name in the settings, or else the id' }),
    stream_url: textOrNull(
      'Scheme, host and port of the live picture, as the rest of its URL may contain secrets',
    ),
    enabled: Type.Boolean({ description: 'Whether the camera is enabled in the settings' }),
    last_recording_at: orNull(
      instant('Start of the latest recording'),
      'Start of the latest recording; null without recordings',
    ),
    recordings: Type.Integer({ description: 'Number of recordings of the camera' }),
  },
  { $id: 'Camera' },
);

/** The shape of {@link CameraSchema}. */
export type Camera = Static<typeof CameraSchema>;

/** The response of `GET /cameras`. */
export const CamerasSchema = Type.Object({
  cameras: Type.Array(CameraSchema, {
    description: 'Cameras in the order of the settings, followed by those that only recordings name',
  }),
});

/** Maximum window of a camera, in days. */
export const maxCameraDays = 366;

/** The path parameters of a route about one camera. */
export const CameraParamsSchema = Type.Object({
  camera_id: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: '^[^\\u0000]*$',
    description: 'Id of the camera',
  }),
});

/** Query parameters of the window of a camera. */
export const CameraWindowSchema = Type.Object(windowParameters(`${maxCameraDays} days`));

/** The shape of {@link CameraWindowSchema}. */
export type CameraWindow = Static<typeof CameraWindowSchema>;

/** The response of `GET /cameras/{camera_id}/activity`. */
export const CameraActivitySchema = Type.Object(
  {
    visits: Type.Integer({ description: 'Number of visits with a recording of this camera' }),
    species: Type.Integer({ description: 'Number of species of these visits' }),
    hours: Type.Array(Type.Integer(), {
      minItems: 24,
      maxItems: 24,
      description: 'Number of visits that started in each hour of the day, in the time zone of the hub',
    }),
    top_species: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the species' }),
        name: text('Name of the species'),
        scientific_name: textOrNull('Scientific name'),
        image_url: imageUrl(),
        visits: Type.Integer({ description: 'Number of visits of the species' }),
      }),
      { description: 'The 12 species with the most visits, most visits first, then by name' },
    ),
  },
  { $id: 'CameraActivity' },
);

/** The shape of {@link CameraActivitySchema}. */
export type CameraActivity = Static<typeof CameraActivitySchema>;

/** The response of `GET /cameras/{camera_id}/places`. */
export const CameraPlacesSchema = Type.Object(
  {
    birds: Type.Integer({
      description: `Number of birds whose boxes were read: the newest ones, at most ${maxTracks}`,
    }),
    is_complete: Type.Boolean({ description: 'Whether these are all birds with boxes in the window' }),
    columns: Type.Integer({ description: 'Number of columns of the grid' }),
    rows: Type.Integer({ description: 'Number of rows of the grid' }),
    cells: Type.Array(Type.Integer(), {
      minItems: placeColumns * placeRows,
      maxItems: placeColumns * placeRows,
      description: 'Number of these birds in each cell of the picture, row by row from the top left',
    }),
    paths: Type.Array(
      Type.Object({
        detection_id: Type.Integer({ description: 'Id of the detection' }),
        video_id: Type.Integer({ description: 'Id of the recording' }),
        start_time: instant('When the bird appeared'),
        seconds: Type.Number({
          description: 'When the bird appears, in seconds from the start of the recording',
        }),
        species_id: Type.Integer({ description: 'Id of the species' }),
        species_name: text('Name of the species'),
        points: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
          description: 'Centres of the boxes, x and y as fractions of the picture size',
        }),
      }),
      { description: `Paths of birds that moved through the picture, newest first, at most ${maxPaths}` },
    ),
    poster_url: textOrNull(
      'URL of the poster of the latest recording that has a file, for use as a background; null without one',
    ),
  },
  { $id: 'CameraPlaces' },
);
