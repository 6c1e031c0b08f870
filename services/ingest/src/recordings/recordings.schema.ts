import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';

const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Optional(Type.Union([schema, Type.Null()], { description }));

const loose = { additionalProperties: true } as const;

/** Maximum detections of one recording. */
const maxDetections = 5_000;

const name = Type.String({ minLength: 1, maxLength: 200 });

const corner = Type.Number({ minimum: -0.05, maximum: 1.05 });

const FrameSchema = Type.Object(
  {
    t: Type.Number({ minimum: 0, description: 'Seconds from the start of the recording' }),
    bbox: Type.Array(corner, {
      minItems: 4,
      maxItems: 4,
      description: 'x1, y1, x2, y2 as fractions of the picture size',
    }),
  },
  loose,
);

/** A detection of a posted recording; unknown keys are kept. */
export const PostedDetectionSchema = Type.Object(
  {
    species_name: nullable(name, 'Name of the species; required unless `species` is set'),
    species: nullable(name, 'Alias of `species_name`'),
    confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence of the detector, 0 to 1' }),
    start_time: Type.Number({ minimum: 0, description: 'Start, in seconds from the start of the recording' }),
    end_time: Type.Number({ minimum: 0, description: 'End, in seconds from the start of the recording' }),
    source: nullable(
      literals(['video', 'audio']),
      'Detected in the picture or in the sound; defaults to `audio` for audio files, else `video`',
    ),
    track_id: Type.Optional(
      Type.Union([Type.String({ maxLength: 64 }), Type.Integer(), Type.Null()], {
        description: 'Track within the recording; detections with the same track are the same bird',
      }),
    ),
    detection_provider: nullable(Type.String({ maxLength: 200 }), 'Detector that made the detection'),
    frames: Type.Optional(
      Type.Union([Type.Array(FrameSchema), Type.Null()], {
        description: 'Bounding boxes of the bird over time',
      }),
    ),
  },
  loose,
);

/** The shape of {@link PostedDetectionSchema}. */
export type PostedDetectionBody = Static<typeof PostedDetectionSchema>;

const head = {
  processor_version: Type.String({ maxLength: 200, description: 'Name and version of the processor' }),
  start_time: Type.String({ description: 'Start time, ISO 8601; UTC without an offset' }),
  end_time: Type.String({ description: 'End time, ISO 8601; UTC without an offset' }),
  video_path: Type.String({
    maxLength: 512,
    description: 'Path relative to the recordings folder; the key together with the camera',
  }),
  spectrogram_path: nullable(Type.String({ maxLength: 512 }), 'Path relative to the recordings folder'),
  camera_id: nullable(Type.String({ maxLength: 64 }), 'Id of the camera'),
  trigger_source: nullable(Type.String({ maxLength: 200 }), 'What triggered the recording'),
};

/** A recording with unvalidated rows, which are checked individually. */
export const RecordingHeadSchema = Type.Object(
  {
    ...head,
    species: Type.Array(Type.Unknown(), {
      maxItems: maxDetections,
      description: 'Detections of the recording',
    }),
  },
  loose,
);

/** A recording as posted by a processor; unknown keys are kept. */
export const RecordingBodySchema = Type.Object(
  {
    ...head,
    species: Type.Array(PostedDetectionSchema, {
      maxItems: maxDetections,
      description: 'Detections of the recording',
    }),
  },
  { ...loose, $id: 'PostedRecording' },
);

/** The shape of {@link RecordingBodySchema}. */
export type RecordingBody = Static<typeof RecordingBodySchema>;

/** The response to a posted recording. */
export const PostedResponseSchema = Type.Object(
  {
    message: Type.String({ description: 'Human-readable result' }),
    video_id: Type.Integer({ description: 'Id of the recording' }),
    created: Type.Boolean({ description: 'Whether the recording is new' }),
    deleted: Type.Optional(
      Type.Boolean({ description: 'Whether a user had deleted this recording, so that nothing was stored' }),
    ),
    detections: Type.Integer({ description: 'Number of stored detections' }),
    dropped: Type.Integer({
      description: 'Number of detections not stored: below the minimum confidence, or noise',
    }),
    visits: Type.Array(Type.Integer(), { description: 'Ids of the visits that the detections belong to' }),
  },
  { $id: 'PostResult' },
);
