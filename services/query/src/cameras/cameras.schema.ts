import { windowParameters } from '@birdhub/domain/timeline';
import { type Static, Type } from 'typebox';
import { imageUrl, instant, orNull, text, textOrNull } from '../wire.schema.js';
import { maxTracks } from './camera-activity.store.js';
import { maxPaths, placeColumns, placeRows } from './camera-places.js';

/** A camera from the settings or from recordings. */
const CameraSchema = Type.Object(
  {
    id: Type.String({ description: 'Id of the camera, as processors name it' }),
    name: Type.String({ description: 'As in the settings; else its id' }),
    stream_url: textOrNull('Where it can be watched, without credentials'),
    enabled: Type.Boolean({ description: 'Whether the settings have it switched on' }),
    last_recording_at: orNull(
      instant('Start of its newest recording'),
      'Start of its newest recording; null without any',
    ),
    recordings: Type.Integer({ description: 'How many recordings it made' }),
  },
  { $id: 'Camera' },
);

/** The shape of {@link CameraSchema}. */
export type Camera = Static<typeof CameraSchema>;

/** The response of `GET /cameras`. */
export const CamerasSchema = Type.Object({ cameras: Type.Array(CameraSchema, { description: 'By name' }) });

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
    visits: Type.Integer({ description: 'Visits with a recording of this camera' }),
    species: Type.Integer({ description: 'Species among them' }),
    hours: Type.Array(Type.Integer(), {
      minItems: 24,
      maxItems: 24,
      description: "Visits that started in each hour of the clock, in the hub's zone",
    }),
    top_species: Type.Array(
      Type.Object({
        id: Type.Integer({ description: 'Id of the species' }),
        name: text('Name of the species'),
        scientific_name: textOrNull('Binomial'),
        image_url: imageUrl(),
        visits: Type.Integer({ description: 'Its visits' }),
      }),
      { description: 'The 12 species with most visits; most visits first, then by name' },
    ),
  },
  { $id: 'CameraActivity' },
);

/** The shape of {@link CameraActivitySchema}. */
export type CameraActivity = Static<typeof CameraActivitySchema>;

/** The response of `GET /cameras/{camera_id}/places`. */
export const CameraPlacesSchema = Type.Object(
  {
    birds: Type.Integer({ description: `Birds whose boxes were read: the newest, at most ${maxTracks}` }),
    is_complete: Type.Boolean({ description: 'Whether these are all of the window that have boxes' }),
    columns: Type.Integer({ description: 'Columns of the grid' }),
    rows: Type.Integer({ description: 'Rows of the grid' }),
    cells: Type.Array(Type.Integer(), {
      minItems: placeColumns * placeRows,
      maxItems: placeColumns * placeRows,
      description: 'How many of these birds were in each cell of the picture, row by row from the top left',
    }),
    paths: Type.Array(
      Type.Object({
        detection_id: Type.Integer({ description: 'Id of the detection' }),
        video_id: Type.Integer({ description: 'Id of its recording' }),
        start_time: instant('When it appeared'),
        seconds: Type.Number({ description: 'Second of the recording at which it appears' }),
        species_id: Type.Integer({ description: 'Id of its species' }),
        species_name: text('Name of its species'),
        points: Type.Array(Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }), {
          description: 'Centres of its boxes, x and y in fractions of the picture',
        }),
      }),
      { description: `Ways of birds that moved through the picture, the newest first; at most ${maxPaths}` },
    ),
    poster_url: textOrNull(
      'Picture of the newest recording that has a file, as a background; null without one',
    ),
  },
  { $id: 'CameraPlaces' },
);
