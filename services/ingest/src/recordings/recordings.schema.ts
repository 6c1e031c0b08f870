import { literals } from '@birdhub/shared/config';
import { type Static, Type } from 'typebox';

const nullable = <T extends ReturnType<typeof Type.String>>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

const loose = { additionalProperties: true } as const;

/** Maximum detections of one recording. */
const maxDetections = 5_000;

const corner = Type.Number({ minimum: -0.05, maximum: 1.05 });

const FrameSchema = Type.Object(
  {
    t: Type.Number({ minimum: 0, description: 'Seconds from the start of the recording' }),
    bbox: Type.Array(corner, {
      minItems: 4,
      maxItems: 4,
      description: 'x1, y1, x2, y2 as fractions of the picture',
    }),
  },
  loose,
);

/** A detection of a posted recording; unknown keys are kept. */
export const PostedDetectionSchema = Type.Object(
  {
    species_name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Required, or `species`' }),
    ),
    species: Type.Optional(
      Type.String({ minLength: 1, maxLength: 200, description: 'Another name of `species_name`' }),
    ),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the detector, 0 to 1' }),
    start_time: Type.Number({ minimum: 0, description: 'Seconds from the start of the recording' }),
    end_time: Type.Number({ minimum: 0, description: 'Seconds from the start of the recording' }),
    source: Type.Optional(
      literals(['video', 'audio'], {
        description: 'Picture or sound; when left out that of the file: audio for sound alone',
      }),
    ),
    track_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Integer(), Type.Null()], {
        description: 'The track within the recording; detections of one track are one bird',
      }),
    ),
    detection_provider: nullable(Type.String({ maxLength: 200 }), 'Which detector found it'),
    frames: Type.Optional(
      Type.Union([Type.Array(FrameSchema), Type.Null()], { description: 'Boxes of the bird over time' }),
    ),
  },
  loose,
);

/** The shape of {@link PostedDetectionSchema}. */
export type PostedDetectionBody = Static<typeof PostedDetectionSchema>;

const head = {
  processor_version: Type.String({ maxLength: 200, description: 'Name and version of the processor' }),
  start_time: Type.String({ description: 'ISO 8601; without an offset it is UTC' }),
  end_time: Type.String({ description: 'ISO 8601; without an offset it is UTC' }),
  video_path: Type.String({
    maxLength: 512,
    description: 'Relative, inside the recordings tree; with the camera it is the key',
  }),
  spectrogram_path: nullable(Type.String({ maxLength: 512 }), 'Relative, inside the recordings tree'),
  camera_id: nullable(Type.String({ maxLength: 64 }), 'Which camera'),
  trigger_source: nullable(Type.String({ maxLength: 200 }), 'What started the recording'),
};

/** A recording with unvalidated rows, which are checked individually. */
export const RecordingHeadSchema = Type.Object(
  {
    ...head,
    species: Type.Array(Type.Unknown(), { maxItems: maxDetections, description: 'Its detections' }),
  },
  loose,
);

/** A recording as posted by a processor; unknown keys are kept. */
export const RecordingBodySchema = Type.Object(
  {
    ...head,
    species: Type.Array(PostedDetectionSchema, { maxItems: maxDetections, description: 'Its detections' }),
  },
  { ...loose, $id: 'PostedRecording' },
);

/** The shape of {@link RecordingBodySchema}. */
export type RecordingBody = Static<typeof RecordingBodySchema>;

/** The response to a posted recording. */
export const PostedResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'What was done, for a person' }),
    video_id: Type.Integer({ description: 'Id of the recording' }),
    created: Type.Boolean({ description: 'Whether it was stored for the first time' }),
    deleted: Type.Optional(
      Type.Boolean({ description: 'A person deleted this recording; nothing was stored' }),
    ),
    detections: Type.Integer({ description: 'Detections that are stored' }),
    dropped: Type.Integer({
      description: 'Detections that are not stored: below the minimum confidence, or noise',
    }),
    visits: Type.Array(Type.Integer(), { description: 'The visits its detections belong to' }),
  },
  { $id: 'PostedAnswer' },
);
