import { sourceStates } from '@birdhub/domain/sources';
import { literals } from '@birdhub/shared/config';
import { sentencesSchema } from '@birdhub/shared/errors';
import { type Static, type TSchema, Type } from 'typebox';
import { sourceKindNames, testStageNames } from './source-kind.js';

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const instant = () => Type.String({ format: 'date-time' });
const sentences = sentencesSchema('The same message as a list of sentences, for translation');
const maxNames = 200;

const given = {
  mqtt_url: Type.String({
    maxLength: 2_048,
    description:
      'MQTT broker that announces new birds, such as `mqtt://user:password@192.168.1.5:1883`; its password ' +
      'is never returned',
  }),
  mqtt_topic_prefix: Type.String({
    maxLength: 256,
    description: 'Topic prefix of the program at the broker',
  }),
  cameras: Type.Record(Type.String({ minLength: 1, maxLength: 256 }), Type.String({ maxLength: 64 }), {
    maxProperties: maxNames,
    description: 'Maps upstream cameras and microphones to camera ids in the hub',
  }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: maxNames,
    description: 'Upstream labels of the objects to read; defaults to `bird`',
  }),
  min_confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'Minimum confidence; detections below it are ignored',
  }),
  timezone: Type.String({
    maxLength: 64,
    description: 'IANA time zone of local times upstream; defaults to the time zone of the hub',
  }),
  write_back: Type.Boolean({
    description: 'Whether species names corrected in the hub are written back to the program',
  }),
};

const optional = <T extends TSchema>(schema: T) =>
  Type.Optional(orNull(schema, (schema as { description?: string }).description ?? ''));

/** The options of requests by their wire names. */
const optionsIn = Type.Object(
  {
    mqtt_url: optional(given.mqtt_url),
    mqtt_topic_prefix: optional(given.mqtt_topic_prefix),
    cameras: Type.Optional(given.cameras),
    labels: optional(given.labels),
    min_confidence: optional(given.min_confidence),
    timezone: optional(given.timezone),
    write_back: Type.Optional(given.write_back),
  },
  {
    additionalProperties: false,
    description: 'Omitted options stay unchanged; null resets an option. `cameras` is replaced as a whole',
  },
);

/** Options of a request. */
export type OptionsBody = Static<typeof optionsIn>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Unique display name' }),
  url: orNull(Type.String({ maxLength: 2_048 }), 'URL of the program, `http://` or `https://`'),
  username: orNull(Type.String({ maxLength: 256 }), 'User name for the login to the program'),
  password: orNull(
    Type.String({ maxLength: 4_096 }),
    'Password for the login to the program, never returned. When omitted, the stored password is kept ' +
      'unless the host of `url` changes; null deletes it',
  ),
  path: orNull(Type.String({ maxLength: 4_096 }), 'Path of a file or folder on the machine of the hub'),
  options: optionsIn,
  enabled: Type.Boolean({ description: 'Whether the hub reads this source' }),
};

/** A source to be added. */
export const SourceBodySchema = Type.Object(
  {
    kind: literals(sourceKindNames, { description: 'The program from which birds are read' }),
    ...Type.Partial(Type.Object(fields)).properties,
    name: fields.name,
  },
  { additionalProperties: false },
);

export type SourceBody = Static<typeof SourceBodySchema>;

/** A change of a source. */
export const SourceChangeSchema = Type.Partial(Type.Object(fields), { additionalProperties: false });

export type SourceChange = Static<typeof SourceChangeSchema>;

/** A connection to be tested. */
export const SourceTestSchema = Type.Object(
  {
    id: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Id of an existing source; its stored password is used when the body has none',
      }),
    ),
    ...SourceBodySchema.properties,
    name: Type.Optional(fields.name),
  },
  { additionalProperties: false },
);

export type SourceTestBody = Static<typeof SourceTestSchema>;

/** The response to a new source. */
export const SourceCreatedSchema = Type.Object(
  { id: Type.Integer({ description: 'Id of the source' }) },
  { $id: 'SourceCreated' },
);

const shown = {
  id: Type.Integer({ description: 'Id of the source' }),
  kind: literals(sourceKindNames, { description: 'The program from which birds are read' }),
  name: Type.String({ description: 'Display name' }),
  url: orNull(Type.String(), 'URL of the program'),
  username: orNull(Type.String(), 'User name for the login to the program'),
  has_password: Type.Boolean({ description: 'Whether a password is stored' }),
  path: orNull(Type.String(), 'Path of a file or folder on the machine of the hub'),
  options: Type.Object(
    {
      mqtt_url: orNull(
        Type.String(),
        'MQTT broker that announces new birds, with its password replaced by `***`',
      ),
      mqtt_topic_prefix: orNull(Type.String(), 'Topic prefix of the program at the broker'),
      cameras: Type.Record(Type.String(), Type.String(), {
        description: 'Maps upstream cameras and microphones to camera ids in the hub',
      }),
      camera_prefix: orNull(
        Type.String(),
        'Precedes the names of unmapped cameras and microphones, followed by a slash: the name of a source ' +
          'that was added beside another one of its kind; null for none',
      ),
      labels: orNull(Type.Array(Type.String()), 'Upstream labels of the objects to read; null for `bird`'),
      min_confidence: orNull(Type.Number(), 'Minimum confidence; detections below it are ignored'),
      timezone: orNull(
        Type.String(),
        'IANA time zone of local times upstream; null for the time zone of the hub',
      ),
      write_back: Type.Boolean({
        description: 'Whether species names corrected in the hub are written back to the program',
      }),
    },
    { description: 'Options of the source' },
  ),
  enabled: Type.Boolean({ description: 'Whether the hub reads this source' }),
  state: literals(sourceStates, {
    description:
      '`connecting`: not reached yet; `live`: everything was read; `behind`: there is more to read; ' +
      '`silent`: connected, but no bird for a day; `error`: cannot be read; `paused`: not enabled',
  }),
  message: orNull(Type.String(), 'Human-readable description of the problem; null when there is none'),
  sentences,
  last_contact_at: orNull(instant(), 'Time of the last contact'),
  last_event_at: orNull(instant(), 'Time of the last bird'),
  behind_seconds: orNull(
    Type.Number(),
    'Seconds that reading is behind upstream: 0 when everything was read, null when unknown',
  ),
  media_waiting: Type.Integer({ description: 'Number of recordings whose file has not been fetched yet' }),
  cameras: Type.Array(
    Type.Object({
      upstream: Type.String({ description: 'Name of the camera or microphone upstream' }),
      camera_id: Type.String({ description: 'Camera id in the hub' }),
    }),
    { description: 'Cameras and microphones seen upstream' },
  ),
  created_at: Type.String({ format: 'date-time', description: 'When the source was added' }),
};

/** A listed source. */
export const SourceSchema = Type.Object(shown, { $id: 'Source' });

export type ShownSource = Static<typeof SourceSchema>;

/** A source with details of its events. */
export const SourceDetailSchema = Type.Object(
  {
    ...shown,
    recordings: Type.Integer({ description: 'Number of recordings from this source' }),
    dropped: Type.Array(
      Type.Object({
        at: orNull(instant(), 'Time of the event; null when unknown'),
        reason: Type.String({ description: 'Human-readable reason' }),
        sentences,
        upstream_id: Type.String({ description: 'Id of the event upstream' }),
      }),
      { description: 'The last 50 events that were ignored, newest first' },
    ),
  },
  { $id: 'SourceDetail' },
);

export type ShownSourceDetail = Static<typeof SourceDetailSchema>;

/** The outcome of a test. */
export const SourceTestResultSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether every stage succeeded' }),
    stages: Type.Array(
      Type.Object({
        stage: literals(testStageNames, { description: 'Stage of the test' }),
        ok: Type.Boolean({ description: 'Whether the stage succeeded' }),
        detail: Type.String({ description: 'Human-readable result of the stage' }),
        sentences,
      }),
      { description: 'Stages in the order of the test, which ends with the first failure' },
    ),
    sample: Type.Array(
      Type.Object({
        upstream_id: Type.String({ description: 'Id of the event upstream' }),
        camera: Type.String({ description: 'Name of the camera or microphone upstream' }),
        start_time: Type.String({ format: 'date-time', description: 'Start time' }),
        end_time: Type.String({ format: 'date-time', description: 'End time' }),
        species: Type.Array(
          Type.Object({
            species_name: Type.String({ description: 'Species name as stored in the hub' }),
            confidence: Type.Number({ description: 'Confidence, 0 to 1' }),
          }),
          { description: 'Detected species' },
        ),
        has_media: Type.Boolean({ description: 'Whether there is a media file' }),
      }),
      { description: 'Some of the latest birds, newest first; they are not stored' },
    ),
  },
  { $id: 'SourceTestResult' },
);

export type SourceTestResult = Static<typeof SourceTestResultSchema>;

/** The range of an import. */
export const SourceImportSchema = Type.Object(
  {
    since: Type.String({
      maxLength: 40,
      description:
        'Start of the range: a time in RFC 3339, or a day as `YYYY-MM-DD` in the time zone of the hub',
    }),
    until: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'End of the range: before this time, or up to and including this day; defaults to now',
      }),
    ),
    media: Type.Optional(
      literals(['all', 'none'], { default: 'all', description: 'Whether media files are fetched' }),
    ),
  },
  { additionalProperties: false },
);

export type SourceImportBody = Static<typeof SourceImportSchema>;

/** The response to the start of an import. */
export const SourceImportStartedSchema = Type.Object(
  { job_id: Type.Integer({ description: 'Id of the job, as listed by `GET /api/ui/system/jobs`' }) },
  { $id: 'SourceImportStarted' },
);

/** The path parameter of routes of one source. */
export const SourceParamsSchema = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Id of the source' }),
});

/** Whether the recordings of a deleted source are deleted. */
export const SourceRemovalQuerySchema = Type.Object({
  data: literals(['keep', 'remove'], {
    default: 'keep',
    description: '`remove` also deletes the recordings, visits and files of the source, in the background',
  }),
});

/** The response to a change or a removal. */
export const SourceDoneSchema = Type.Object(
  { message: Type.String({ description: 'Human-readable result' }) },
  { $id: 'SourceDone' },
);
