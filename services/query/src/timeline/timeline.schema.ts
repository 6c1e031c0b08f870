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
      description: 'Maximum number of items; all of the window without it',
    }),
  ),
  cursor: Type.Optional(text('From the `Link` of the page before')),
});

/** The shape of {@link TimelineQuerySchema}. */
export type TimelineQuery = Static<typeof TimelineQuerySchema>;

const TimelineDetectionSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of its recording' }),
  start_time: instant('When it was first seen or heard'),
  end_time: instant('When it was last seen or heard'),
  confidence: Type.Number({ description: 'Confidence of the detector, 0 to 1' }),
  source: literals(detectionSources, { description: 'Found by picture or by sound' }),
  detection_provider: textOrNull('Which detector found it'),
  reviewed: Type.Boolean({ description: 'Whether a person has looked at it' }),
});

/** A span of a recording in which a bird is heard. */
export const HeardSchema = Type.Object({
  detection_id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of its recording' }),
  media_kind: mediaKind(),
  from: Type.Number({ description: 'Seconds from the start of the recording' }),
  to: Type.Number({ description: 'Seconds from the start of the recording' }),
  recording_seconds: Type.Number({ description: 'Length of the recording' }),
});

const BestSchema = Type.Object({
  detection_id: Type.Integer({ description: 'Id of the detection' }),
  video_id: Type.Integer({ description: 'Id of its recording' }),
  source: literals(detectionSources, { description: 'Found by picture or by sound' }),
  media_kind: mediaKindOrNull(),
  seconds: Type.Number({
    description:
      'Where it is seen best, in seconds from the start of the recording; the start of the detection until that is measured',
  }),
});

/** Never null, as front ends show it for all items: an unlinked recording has the generic bird. */
export const TimelineSpeciesSchema = Type.Object({
  id: Type.Integer({ description: 'Id of the species' }),
  name: Type.String({ description: 'Name of the species' }),
  scientific_name: textOrNull('Binomial'),
  image_url: imageUrl(),
  parent_id: orNull(Type.Integer(), 'The species or family above it'),
  group: speciesGroup(),
});

/** A visit, or a recording without one. */
export const TimelineItemSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The visit; of an unlinked recording minus its number' }),
    timeline_kind: literals(timelineKinds, {
      description: 'A visit, or a recording that belongs to none',
    }),
    start_time: instant('Start of the first detection, or of the recording'),
    end_time: instant('End of the last detection, or of the recording'),
    max_simultaneous: Type.Integer({
      description: 'Maximum number of birds seen at once; 0 of an unlinked recording',
    }),
    total_recording_seconds: Type.Number({ description: 'Length of all its recordings together' }),
    video_duration_seconds: numberOrNull('Length of its recording when there is exactly one'),
    weather: orNull(
      Type.Object({ temp: numberOrNull('°C'), clouds: numberOrNull('%') }),
      'At the start of its first recording',
    ),
    species: Type.Object(TimelineSpeciesSchema.properties, { description: 'The species of the visit' }),
    media_kind: mediaKindOrNull(
      'What there is to see: `video`, else `image` (the picture of a sighting), else `audio` when all of its recordings are sound alone; null without any medium',
    ),
    cameras: Type.Array(Type.String(), { description: 'The cameras of its recordings, sorted' }),
    best: orNull(
      BestSchema,
      'Where to watch it: its detection of highest confidence, by picture before by sound; null of an unlinked recording',
    ),
    heard: orNull(HeardSchema, 'Its audio detection of highest confidence, when it is audio-only'),
    thumbhash: thumbhash('A blurred copy of the picture of its surest detection by picture'),
    detections: Type.Array(TimelineDetectionSchema, { description: 'All of the visit, newest first' }),
  },
  { $id: 'TimelineItem' },
);
