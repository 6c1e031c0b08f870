import {
  detectionSources,
  filterParameters,
  timelineKinds,
  windowParameters,
} from '@birdhub/domain/timeline';
import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';
import {
  imageUrl,
  instant,
  mediaKind,
  mediaKindOrNull,
  numberOrNull,
  orNull,
  speciesGroup,
  text,
  textOrNull,
  thumbhash,
} from '../wire.schema.js';

/** Query parameters of `GET /timeline`. */
export const TimelineQuerySchema = Type.Object({
  ...windowParameters(),
  ...filterParameters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000,
      description: 'Maximum number of items; without it, all items of the window',
    }),
  ),
  cursor: Type.Optional(text('Cursor from the `Link` header of the previous page')),
});

/** The shape of {@link TimelineQuerySchema}. */
export type TimelineQuery = Static<typeof TimelineQuerySchema>;

const TimelineDetectionSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of the recording' }),
  start_time: instant('Start of the detection'),
  end_time: instant('End of the detection'),
  confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
  source: literals(detectionSources, { description: 'Detected by picture (`video`) or by sound (`audio`)' }),
  detection_provider: textOrNull('Detector that made the detection'),
  reviewed: Type.Boolean({ description: 'Whether a user has reviewed the detection' }),
});

/** A span of a recording in which a bird is heard. */
export const HeardSchema = Type.Object({
  detection_id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of the recording' }),
  media_kind: mediaKind(),
  from: Type.Number({ description: 'Start, in seconds from the start of the recording' }),
  to: Type.Number({ description: 'End, in seconds from the start of the recording' }),
  recording_seconds: Type.Number({ description: 'Length of the recording in seconds' }),
});

const BestSchema = Type.Object({
  detection_id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of the recording' }),
  source: literals(detectionSources, { description: 'Detected by picture (`video`) or by sound (`audio`)' }),
  media_kind: mediaKindOrNull(),
  seconds: Type.Number({
    description:
      'Moment at which the bird is seen best, in seconds from the start of the recording; the start of the ' +
      'detection until this moment has been determined',
  }),
});

/** Never null, as front ends show it for all items: an unlinked recording has the generic bird. */
export const TimelineSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Scientific name'),
  image_url: imageUrl(),
  parent_id: orNull(Type.Integer(), 'Id of the parent species or family'),
  group: speciesGroup(),
});

/** A visit, or a recording without one. */
export const TimelineItemSchema = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the visit; for an unlinked recording, its negated id' }),
    timeline_kind: literals(timelineKinds, {
      description: '`visit`: a visit; `unlinked_video`: a recording without a visit',
    }),
    start_time: instant('Start of the first detection, or of the recording'),
    end_time: instant('End of the last detection, or of the recording'),
    max_simultaneous: Type.Integer({
      description: 'Maximum number of birds seen at the same time; 0 for an unlinked recording',
    }),
    total_recording_seconds: Type.Number({ description: 'Total length of all recordings in seconds' }),
    video_duration_seconds: numberOrNull(
      'Length of the recording in seconds when there is exactly one; otherwise null',
    ),
    weather: orNull(
      Type.Object({
        temp: numberOrNull('Temperature in °C'),
        clouds: numberOrNull('Cloud cover in percent'),
      }),
      'Weather at the start of the first recording; null when it is not known',
    ),
    species: Type.Object(TimelineSpeciesSchema.properties, { description: 'The species of the visit' }),
    media_kind: mediaKindOrNull(
      'Available media: `video`, else `image` (the picture of a sighting), else `audio` when all ' +
        'recordings are sound only; null without media',
    ),
    cameras: Type.Array(Type.String(), { description: 'Ids of the cameras of the recordings, sorted' }),
    best: orNull(
      BestSchema,
      'Detection with the highest confidence; detections by picture take precedence over those by sound. ' +
        'Null for an unlinked recording',
    ),
    heard: orNull(
      HeardSchema,
      'Audio detection with the highest confidence when the visit was only heard; otherwise null',
    ),
    thumbhash: thumbhash('Blurred placeholder of the picture of the most certain detection by picture'),
    detections: Type.Array(TimelineDetectionSchema, {
      description: 'All detections of the visit, newest first',
    }),
  },
  { $id: 'TimelineItem' },
);
