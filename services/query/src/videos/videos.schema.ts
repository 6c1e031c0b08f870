import { detectionSources } from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import {
  FrameSchema,
  idInPath,
  imageUrl,
  instant,
  mediaKindOrNull,
  numberOrNull,
  orNull,
  text,
  textOrNull,
} from '../wire.schema.js';

/** The path parameters of a route about one recording. */
export const VideoParamsSchema = idInPath('Id of the recording');

const WeatherSchema = Type.Object(
  {
    main: textOrNull('In a word'),
    description: textOrNull('In a few words'),
    temp: numberOrNull('°C'),
    humidity: numberOrNull('%'),
    pressure: numberOrNull('hPa'),
    clouds: numberOrNull('%'),
    wind_speed: numberOrNull('m/s'),
  },
  { description: 'At the start of the recording; all null when none is known' },
);

const offset = (description: string) => Type.Number({ description });

const VideoDetectionSchema = Type.Object({
  id: Type.Integer({ description: 'The detection' }),
  species_id: Type.Integer({ description: 'Id of the species' }),
  species_name: Type.String({ description: 'Name of the species' }),
  start_time: offset('Seconds from the start of the recording'),
  end_time: offset('Seconds from the start of the recording'),
  confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
  source: literals(detectionSources, { description: 'Found by picture or by sound' }),
  track_id: orNull(Type.Union([Type.Integer(), Type.String()]), 'The track as the processor named it'),
  image_url: imageUrl(),
  detection_provider: textOrNull('Which detector found it'),
  plumage: textOrNull(
    'Sex, age or season of the bird as the label of the detector says them, such as `adult male`',
  ),
  reviewed: Type.Boolean({ description: 'Whether a person has looked at it' }),
  visit_id: orNull(Type.Integer(), 'The visit it belongs to'),
  frames: Type.Array(FrameSchema, { description: 'Boxes of the bird over time' }),
});

const FoodSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the food' }),
  name: Type.String({ description: 'Name of the food' }),
  image_url: imageUrl('A picture of it'),
});

/** A recording with all details. */
export const VideoSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the recording' }),
    created_at: instant('When the hub stored it'),
    start_time: instant('Start of the recording'),
    end_time: instant('End of the recording'),
    processor_version: Type.String({ description: 'Name and version of the processor' }),
    camera_id: textOrNull('The camera, when the processor named one'),
    video_path: text(
      'Path of the file below the hub: `data/recordings/` and its path inside the recordings folder; of a sighting without a medium a name alone',
    ),
    video_url: text(
      'Where the video, or the sound of a recording without one, is streamed; of a sighting its picture',
    ),
    spectrogram_path: textOrNull('Relative to the recordings tree'),
    spectrogram_url: textOrNull('Where the spectrogram is'),
    spectrogram_khz: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Frequency at the upper edge of the spectrogram in kHz, linear from 0 at the lower one; null when it is not known, as of one that a processor sent',
    }),
    poster_url: text('Where a picture of the video is; of sound alone its spectrogram with axes and marks'),
    favorite: Type.Boolean({ description: 'Whether it is a favourite, which retention keeps' }),
    media: literals(['pending', 'ready', 'missing', 'purged', 'none'], {
      description: 'State of its file; `none` for a sighting without a medium',
    }),
    media_kind: mediaKindOrNull(
      'Video, sound alone, or the picture of a sighting; null for a sighting without a medium',
    ),
    note: textOrNull('What was noted with a sighting, plain text'),
    weather: WeatherSchema,
    species: Type.Array(VideoDetectionSchema, { description: 'Its detections by start' }),
    food: Type.Array(FoodSchema, { description: 'What was offered at its start' }),
  },
  { $id: 'Video' },
);

/** The boxes of a recording. */
export const DetectionFramesSchema = Type.Object({
  tracks: Type.Array(
    Type.Object({
      id: Type.Integer({ description: 'The detection' }),
      species_id: Type.Integer({ description: 'Id of the species' }),
      start_time: offset('Seconds from the start of the recording'),
      end_time: offset('Seconds from the start of the recording'),
      track_source: literals(['processor', 'motion'], {
        description: 'Whether the processor sent the boxes, or they were found where something moves',
      }),
      frames: Type.Array(FrameSchema, { description: 'Boxes of the bird over time' }),
    }),
    { description: 'The detections that have boxes, by start' },
  ),
});

const dayScopes = ['utc', 'local'] as const;
const offsetMinutes = { minimum: -840, maximum: 840 };

/** Query parameters of `GET /videos/:id/neighbors`. */
export const NeighborsQuerySchema = Type.Object({
  day_scope: literals(dayScopes, { default: 'utc', description: 'Whose day: that of UTC or a local one' }),
  tz_offset_minutes: Type.Optional(
    Type.Integer({ ...offsetMinutes, description: 'As `Date.getTimezoneOffset` has it: UTC+3 is -180' }),
  ),
  tz: Type.Optional(text('IANA zone; wins over the offset. With neither, local is the zone of the hub')),
  cross_day: Type.Optional(text('`1`, `true` or `yes`: neighbours may lie outside the day')),
});

/** The shape of {@link NeighborsQuerySchema}. */
export type NeighborsQuery = Static<typeof NeighborsQuerySchema>;

/** The recordings before and after one. */
export const NeighborsSchema = Type.Object({
  day_scope: literals(dayScopes, { description: 'Whose day, as asked' }),
  day_label: text('The day, `YYYY-MM-DD`'),
  timezone_offset_minutes: Type.Integer({ description: 'Of that day at the start of the recording' }),
  cross_day: Type.Boolean({ description: 'Whether neighbours may lie outside the day, as asked' }),
  previous_id: orNull(Type.Integer(), 'The one before'),
  next_id: orNull(Type.Integer(), 'The one after'),
  index: Type.Integer({ description: 'Its place in the day, counted from 0' }),
  total: Type.Integer({ description: 'Recordings that start on the day' }),
});

/** The shape of {@link NeighborsSchema}. */
export type Neighbors = Static<typeof NeighborsSchema>;
