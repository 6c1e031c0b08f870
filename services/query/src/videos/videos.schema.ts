import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import { weatherFields } from '../weather/weather.schema.js';
import {
  FrameSchema,
  idInPath,
  imageUrl,
  instant,
  mediaKindOrNull,
  orNull,
  text,
  textOrNull,
  thumbhash,
} from '../wire.schema.js';

/** The path parameters of a route about one recording. */
export const VideoParamsSchema = idInPath('Id of the recording');

const WeatherSchema = Type.Object(weatherFields, {
  description: 'Weather at the start of the recording; all fields are null when it is not known',
});

const offset = (description: string) => Type.Number({ description });

const VideoDetectionSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the detection' }),
  species_id: Type.Integer({ description: 'Id of the species' }),
  species_name: Type.String({ description: 'Name of the species' }),
  start_time: offset('Start, in seconds from the start of the recording'),
  end_time: offset('End, in seconds from the start of the recording'),
  confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
  source: literals(detectionSources, { description: 'Detected by picture (`video`) or by sound (`audio`)' }),
  track_id: orNull(Type.Union([Type.Integer(), Type.String()]), 'Id of the track, as sent by the processor'),
  image_url: imageUrl(),
  detection_provider: textOrNull('Detector that made the detection'),
  plumage: textOrNull(
    'Sex, age or season of the bird according to the label of the detector, such as `adult male`',
  ),
  reviewed: Type.Boolean({ description: 'Whether a user has reviewed the detection' }),
  visit_id: orNull(Type.Integer(), 'Id of the visit that the detection belongs to'),
  frames: Type.Array(FrameSchema, { description: 'Bounding boxes of the bird over time' }),
  thumbhash: thumbhash('Blurred placeholder of the picture of a detection by picture'),
});

const FoodSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the food' }),
  name: Type.String({ description: 'Name of the food' }),
  image_url: imageUrl('Picture of the food'),
});

/** A recording with all details. */
export const VideoSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the recording' }),
    created_at: instant('When the hub stored the recording'),
    start_time: instant('Start of the recording'),
    end_time: instant('End of the recording'),
    processor_version: Type.String({ description: 'Name and version of the processor' }),
    camera_id: textOrNull('Id of the camera; null when the processor named none'),
    video_path: text(
      'Path of the file on the hub: `data/recordings/` and the path in the recordings folder; only a ' +
        'name for a sighting without media',
    ),
    video_url: text(
      'URL of the media stream: the video, the sound of a recording without video, or ' +
        'the picture of a sighting',
    ),
    spectrogram_path: textOrNull(
      'Path of the spectrogram on the hub: `data/recordings/` and the path in the recordings folder',
    ),
    spectrogram_url: textOrNull('URL of the spectrogram'),
    spectrogram_khz: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Frequency at the upper edge of the spectrogram in kHz; the scale is linear from 0 at the lower ' +
        'edge. Null when it is not known, for example for a spectrogram sent by a processor',
    }),
    poster_url: text(
      'URL of the poster, a picture of the video; for recordings of sound only, a ' +
        'spectrogram with axes and marks',
    ),
    favorite: Type.Boolean({ description: 'Whether the recording is a favourite, which is never purged' }),
    media: literals(['pending', 'ready', 'missing', 'purged', 'none'], {
      description: 'State of the media file; `none` for a sighting without media',
    }),
    media_kind: mediaKindOrNull(
      '`video`, `audio` for sound only, or `image` for the picture of a sighting; null ' +
        'for a sighting without media',
    ),
    note: textOrNull('Free-text note of a sighting'),
    weather: WeatherSchema,
    species: Type.Array(VideoDetectionSchema, {
      description: 'Detections of the recording, sorted by start',
    }),
    food: Type.Array(FoodSchema, { description: 'Foods offered at the start of the recording' }),
  },
  { $id: 'Video' },
);

/** The boxes of a recording. */
export const DetectionFramesSchema = Type.Object({
  tracks: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'Id of the detection' }),
      species_id: Type.Integer({ description: 'Id of the species' }),
      start_time: offset('Start, in seconds from the start of the recording'),
      end_time: offset('End, in seconds from the start of the recording'),
      track_source: literals(['processor', 'motion'], {
        description: '`processor`: the processor sent the boxes; `motion`: the hub found the boxes by motion',
      }),
      frames: Type.Array(FrameSchema, { description: 'Bounding boxes of the bird over time' }),
    }),
    { description: 'Detections with boxes, sorted by start' },
  ),
});

const dayScopes = ['utc', 'local'] as const;
const offsetMinutes = { minimum: -840, maximum: 840 };

/** Query parameters of `GET /videos/:id/neighbors`. */
export const NeighborsQuerySchema = Type.Object({
  day_scope: literals(dayScopes, {
    default: 'utc',
    description: 'Whether the day is a UTC day (`utc`) or a local day (`local`)',
  }),
  tz_offset_minutes: Type.Optional(
    Type.Integer({
      ...offsetMinutes,
      description:
        'Offset of the local day in minutes, as returned by `Date.getTimezoneOffset`: -180 for UTC+3',
    }),
  ),
  tz: Type.Optional(
    text(
      'IANA time zone of the local day; takes precedence over `tz_offset_minutes`. Without both, the ' +
        'time zone of the hub is used',
    ),
  ),
  cross_day: Type.Optional(text('`1`, `true` or `yes`: neighbours may be on other days')),
});

/** The shape of {@link NeighborsQuerySchema}. */
export type NeighborsQuery = Static<typeof NeighborsQuerySchema>;

/** The recordings before and after one. */
export const NeighborsSchema = Type.Object({
  day_scope: literals(dayScopes, { description: 'The requested `day_scope`' }),
  day_label: text('The day, `YYYY-MM-DD`'),
  timezone_offset_minutes: Type.Integer({
    description: 'Offset at the start of the recording in minutes, as returned by `Date.getTimezoneOffset`',
  }),
  cross_day: Type.Boolean({ description: 'Whether neighbours may be on other days, as requested' }),
  previous_id: orNull(Type.Integer(), 'Id of the previous recording; null when there is none'),
  next_id: orNull(Type.Integer(), 'Id of the next recording; null when there is none'),
  index: Type.Integer({ description: 'Position of the recording in the day, starting at 0' }),
  total: Type.Integer({ description: 'Number of recordings that start on the day' }),
});

/** The shape of {@link NeighborsSchema}. */
export type Neighbors = Static<typeof NeighborsSchema>;
