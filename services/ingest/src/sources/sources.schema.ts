import { sourceStates } from '@birdhub/domain/sources';
import { literals } from '@birdhub/shared/config';
import { type Static, type TSchema, Type } from 'typebox';
import { sourceKindNames, testStageNames } from './source-kind.js';

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const instant = () => Type.String({ format: 'date-time' });
/** Messages that the UI can translate. */
const sentences = Type.Array(
  Type.Object({
    code: Type.String({ description: 'Which sentence it is, such as `low_confidence`' }),
    values: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]), {
      description: 'Its values by name; an instant is RFC 3339',
    }),
  }),
  { description: 'The same for translation, sentence by sentence' },
);
const maxNames = 200;

const given = {
  mqtt_url: Type.String({
    maxLength: 2_048,
    description:
      'Broker that tells of new birds at once, such as `mqtt://user:password@192.168.1.5:1883`; never returned with its password',
  }),
  mqtt_topic_prefix: Type.String({ maxLength: 256, description: 'Topic of the program at the broker' }),
  cameras: Type.Record(Type.String({ minLength: 1, maxLength: 256 }), Type.String({ maxLength: 64 }), {
    maxProperties: maxNames,
    description: 'Camera or microphone upstream, to its name in the hub',
  }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: maxNames,
    description: 'What upstream calls the objects that are taken; `bird` when not set',
  }),
  min_confidence: Type.Number({ minimum: 0, maximum: 1, description: 'Detections below it are left out' }),
  timezone: Type.String({
    maxLength: 64,
    description: 'IANA zone of local times upstream; that of the hub when not set',
  }),
  write_back: Type.Boolean({ description: 'Whether names that people correct are written back' }),
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
    description:
      'What is left out stays as it is; null takes an option back. `cameras` is replaced as a whole',
  },
);

/** Options of a request. */
export type OptionsBody = Static<typeof optionsIn>;

const fields = {
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Name for people, unique' }),
  url: orNull(Type.String({ maxLength: 2_048 }), 'Address of the program, `http://` or `https://`'),
  username: orNull(Type.String({ maxLength: 256 }), 'User name of the login upstream'),
  password: orNull(
    Type.String({ maxLength: 4_096 }),
    'Password of the login upstream, never returned. When it is left out the stored one stays, unless the host of `url` changes; null deletes it',
  ),
  path: orNull(Type.String({ maxLength: 4_096 }), 'File or folder on the machine of the hub'),
  options: optionsIn,
  enabled: Type.Boolean({ description: 'Whether it is read' }),
};

/** A source to be added. */
export const SourceBodySchema = Type.Object(
  {
    kind: literals(sourceKindNames, { description: 'The program that birds are read from' }),
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
        description: 'A source that exists: its stored password is used when none is given',
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
  kind: literals(sourceKindNames, { description: 'The program that birds are read from' }),
  name: Type.String({ description: 'Name for people' }),
  url: orNull(Type.String(), 'Address of the program'),
  username: orNull(Type.String(), 'User name of the login upstream'),
  has_password: Type.Boolean({ description: 'Whether a password is stored' }),
  path: orNull(Type.String(), 'File or folder on the machine of the hub'),
  options: Type.Object(
    {
      mqtt_url: orNull(Type.String(), 'Broker that tells of new birds, with `***` in place of its password'),
      mqtt_topic_prefix: orNull(Type.String(), 'Topic of the program at the broker'),
      cameras: Type.Record(Type.String(), Type.String(), {
        description: 'Camera or microphone upstream, to its name in the hub',
      }),
      labels: orNull(Type.Array(Type.String()), 'What upstream calls the objects that are taken'),
      min_confidence: orNull(Type.Number(), 'Detections below it are left out'),
      timezone: orNull(Type.String(), 'IANA zone of local times upstream; null for that of the hub'),
      write_back: Type.Boolean({ description: 'Whether names that people correct are written back' }),
    },
    { description: 'How it is read' },
  ),
  enabled: Type.Boolean({ description: 'Whether it is read' }),
  state: literals(sourceStates, {
    description:
      '`connecting`: not reached yet; `live`: nothing is waiting upstream; `behind`: there is more to be read; ' +
      '`silent`: reached, but without a bird for a day; `error`: it cannot be read; `paused`: not enabled',
  }),
  message: orNull(Type.String(), 'What is wrong, for a person; null when nothing is'),
  sentences,
  last_contact_at: orNull(instant(), 'When it was last reached'),
  last_event_at: orNull(instant(), 'When the last bird was there'),
  behind_seconds: orNull(
    Type.Number(),
    'How far reading is behind upstream: 0 when everything was read, null when that is not known',
  ),
  media_waiting: Type.Integer({ description: 'Recordings whose file is still to be fetched' }),
  cameras: Type.Array(
    Type.Object({
      upstream: Type.String({ description: 'Camera or microphone upstream' }),
      camera_id: Type.String({ description: 'Its name in the hub' }),
    }),
    { description: 'Cameras and microphones that were seen upstream' },
  ),
  created_at: Type.String({ format: 'date-time', description: 'When it was added' }),
};

/** A listed source. */
export const SourceSchema = Type.Object(shown, { $id: 'Source' });

export type ShownSource = Static<typeof SourceSchema>;

/** A source with details of its events. */
export const SourceDetailSchema = Type.Object(
  {
    ...shown,
    recordings: Type.Integer({ description: 'Recordings that it brought' }),
    dropped: Type.Array(
      Type.Object({
        at: orNull(instant(), 'When it was there; null when that cannot be told'),
        reason: Type.String({ description: 'Why it was not taken, for a person' }),
        sentences,
        upstream_id: Type.String({ description: 'Its id upstream' }),
      }),
      { description: 'The last 50 things that were not taken, the newest first' },
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
        stage: literals(testStageNames, { description: 'What was tested' }),
        ok: Type.Boolean({ description: 'Whether it succeeded' }),
        detail: Type.String({ description: 'What was found, for a person' }),
        sentences,
      }),
      { description: 'In the order of the test, which ends with the first that fails' },
    ),
    sample: Type.Array(
      Type.Object({
        upstream_id: Type.String({ description: 'Its id upstream' }),
        camera: Type.String({ description: 'Camera or microphone upstream' }),
        start_time: Type.String({ format: 'date-time', description: 'When it began' }),
        end_time: Type.String({ format: 'date-time', description: 'When it ended' }),
        species: Type.Array(
          Type.Object({
            species_name: Type.String({ description: 'Name as it is stored' }),
            confidence: Type.Number({ description: '0 to 1' }),
          }),
          { description: 'What was detected' },
        ),
        has_media: Type.Boolean({ description: 'Whether it has a file' }),
      }),
      { description: 'Some of the last birds, the newest first; nothing of them is stored' },
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
      description: 'From this instant on, RFC 3339, or from this day on, `YYYY-MM-DD` in the zone of the hub',
    }),
    until: Type.Optional(
      Type.String({ maxLength: 40, description: 'Before this instant, or up to this day; now when not set' }),
    ),
    media: Type.Optional(
      literals(['all', 'none'], { default: 'all', description: 'Whether files are fetched' }),
    ),
  },
  { additionalProperties: false },
);

export type SourceImportBody = Static<typeof SourceImportSchema>;

/** The response to the start of an import. */
export const SourceImportStartedSchema = Type.Object(
  { job_id: Type.Integer({ description: 'Id of the job, which `GET /api/ui/system/jobs` lists' }) },
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
    description: '`remove` also deletes its recordings, visits and files, in the background',
  }),
});

/** The response to a change or a removal. */
export const SourceDoneSchema = Type.Object(
  { message: Type.String({ description: 'What was done, for a person' }) },
  { $id: 'SourceDone' },
);
