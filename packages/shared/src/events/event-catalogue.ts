import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { type Static, type TObject, type TSchema, Type } from 'typebox';

// The fields of payloads: ids and facts, never rows.
const id = (description: string) => Type.Integer({ minimum: 1, description });
const ids = (description: string) => Type.Array(Type.Integer({ minimum: 1 }), { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const flag = (description: string) => Type.Boolean({ description });
const text = (description: string) => Type.String({ description });
const texts = (description: string) => Type.Array(Type.String(), { description });
const instant = (description: string) =>
  Type.String({ format: 'date-time', pattern: '(Z|\\+00:00)$', description });
const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
/** Absent in events stored by older versions. */
const mediaKind = () =>
  Type.Optional(
    orNull(
      Type.Union([Type.Literal('video'), Type.Literal('audio'), Type.Literal('image')]),
      'Media type of the recording: `video`, `audio` for sound only, or `image` for the picture of a ' +
        'sighting; null without media',
    ),
  );

interface MessageDefinition {
  readonly description: string;
  readonly schema: TObject;
}

/** All events of the stream; a breaking change of a payload requires a new subject. */
export const events = {
  'hub.v1.recording.upserted': {
    description: 'A recording was posted for the first time, or again with different content.',
    schema: Type.Object({
      video_id: id('Id of the recording'),
      media_kind: mediaKind(),
      camera_id: orNull(Type.String(), 'Id of the camera; null when the processor named none'),
      start_time: instant('Start of the recording'),
      end_time: instant('End of the recording'),
      created: flag('Whether the recording is new; false when it replaces an earlier post'),
      detections: count('Number of detections in the recording'),
      species_ids: ids(
        'Ids of the species detected in the recording, including those of the replaced content',
      ),
      visit_ids: ids('Ids of the visits that the detections belong to'),
    }),
  },
  'hub.v1.recording.removed': {
    description: 'A user deleted a recording and its detections.',
    schema: Type.Object({
      video_id: id('Id of the deleted recording'),
      media_kind: mediaKind(),
      camera_id: orNull(Type.String(), 'Id of the camera; null when the processor named none'),
      start_time: instant('Start of the recording'),
      visit_ids: ids(
        'Ids of the visits that the recording belonged to; visits without remaining ' +
          'detections no longer exist',
      ),
    }),
  },
  'hub.v1.recording.purged': {
    description: 'The files of recordings were deleted to free space. Their detections and visits are kept.',
    schema: Type.Object({ video_ids: ids('Ids of the recordings') }),
  },
  'hub.v1.media.uploaded': {
    description: 'The file of a pending recording was uploaded.',
    schema: Type.Object({
      video_id: id('Id of the recording'),
      media_kind: mediaKind(),
      path: text('Path of the file, relative to the recordings folder'),
      bytes: count('Size of the file in bytes'),
    }),
  },
  'hub.v1.pictures.finished': {
    description: 'The poster, crops and spectrogram of a recording were created, or cannot be created.',
    schema: Type.Object({
      video_id: id('Id of the recording'),
      media_kind: mediaKind(),
      poster: flag('Whether the recording has a poster'),
      spectrogram: flag('Whether the recording has a spectrogram'),
      crops: count('Number of detections with a crop'),
      failure: orNull(
        Type.String(),
        'Reason why there is no poster: `missing` when the file never arrived, `unreadable`, or ' +
          '`undecodable`; null when there is a poster, or when the recording has no picture to show',
      ),
    }),
  },
  'hub.v1.detection.notified': {
    description: 'The processor posted a detection notice, for which notifications may be sent.',
    schema: Type.Object({
      notice_id: text('Unique id of the notice'),
      species_name: text('Species name used by the processor'),
      link: orNull(Type.String(), 'URL that the notification opens; null when none was given'),
      image_path: orNull(
        Type.String(),
        'Path of the picture, relative to the data folder; null without a picture',
      ),
      has_image: flag('Whether the processor sent a picture'),
      notified_at: instant('When the hub received the notice'),
    }),
  },
  'hub.v1.detection.corrected': {
    description: 'A user corrected the species of detections.',
    schema: Type.Object({
      detection_ids: ids('Ids of the detections that were moved to another species'),
      video_id: id('Id of the recording of the detections'),
      media_kind: mediaKind(),
      from_species_ids: ids('Ids of the previous species'),
      to_species_id: id('Id of the new species'),
      visit_ids: ids('Ids of the visits of both species that were created, changed or deleted'),
      corrected_at: instant('When the correction was made'),
    }),
  },
  'hub.v1.visit.started': {
    description: 'A visit started: a species was detected after a pause longer than the visit gap.',
    schema: Type.Object({
      visit_id: id('Id of the visit'),
      species_id: id('Id of the species'),
      species_name: text('Name of the species at the time of the event'),
      video_id: id(
        'Id of the recording that started the visit; the first one when several ' +
          'recordings were stored together',
      ),
      media_kind: mediaKind(),
      start_time: instant('Start of the visit; may be long ago when a recording arrives late'),
      end_time: instant('End of the visit, as known so far'),
    }),
  },
  'hub.v1.visit.extended': {
    description: 'A visit started earlier or lasted longer than previously known.',
    schema: Type.Object({
      visit_id: id('Id of the visit'),
      species_id: id('Id of the species'),
      species_name: text('Name of the species at the time of the event'),
      video_id: id(
        'Id of the recording that extended the visit; the first one when several ' +
          'recordings were stored together',
      ),
      media_kind: mediaKind(),
      start_time: instant('Start of the visit, as known now'),
      end_time: instant('End of the visit, as known now'),
    }),
  },
  'hub.v1.motion.notified': {
    description: 'The processor detected motion.',
    schema: Type.Object({ notified_at: instant('When the hub received the notice') }),
  },
  'hub.v1.species.activated': {
    description: 'The processor sent a new list of the species that it detects.',
    schema: Type.Object({
      active_names: count('Number of names in the list'),
      species_ids: ids('Ids of the active species'),
    }),
  },
  'hub.v1.species.edited': {
    description: 'A user edited a species.',
    schema: Type.Object({
      species_id: id('Id of the species'),
      fields: texts('Names of the changed fields, without their values'),
      visits_changed: flag('Whether visits may have changed, for example after a change of the parent'),
    }),
  },
  'hub.v1.species.merged': {
    description: 'A species was merged into another one, which now has its detections and names.',
    schema: Type.Object({
      merge_id: id('Id of the merge, used to revert it'),
      species_id: id('Id of the species that was merged'),
      into_species_id: id('Id of the species that it was merged into'),
      detections: count('Number of detections that were moved'),
    }),
  },
  'hub.v1.species.separated': {
    description: 'A merge of two species was reverted.',
    schema: Type.Object({
      merge_id: id('Id of the merge that was reverted'),
      species_id: id('Id of the restored species'),
      into_species_id: id('Id of the species that had its detections until then'),
      detections: count('Number of detections that were moved back'),
    }),
  },
  'hub.v1.processor.reported': {
    description: 'The processor wrote an entry to the activity log, such as a heartbeat.',
    schema: Type.Object({
      activity_id: id('Id of the entry'),
      type: text('Type of the entry'),
      reported_at: instant('When the entry was written'),
    }),
  },
  'hub.v1.settings.updated': {
    description: 'Settings were changed.',
    schema: Type.Object({
      version: count('Version of the settings after the change'),
      keys: texts('Dotted names of the changed settings, without their values'),
    }),
  },
  'hub.v1.job.finished': {
    description: 'A background job finished.',
    schema: Type.Object({
      job_id: id('Id of the job'),
      kind: text('Kind of the job'),
      state: text('Final state of the job'),
    }),
  },
} as const satisfies Record<`hub.v1.${string}.${string}`, MessageDefinition>;

/** A subject of the catalogue. */
export type Subject = keyof typeof events;

/** Subject to payload type. */
export type EventMap = { [S in Subject]: Static<(typeof events)[S]['schema']> };

/** A filter of a consumer or subscription: one subject, all subjects of an entity, or all. */
export type SubjectPattern = Subject | EntityPattern<Subject> | 'hub.v1.>';

type EntityPattern<S> = S extends `hub.v1.${infer Entity}.${string}` ? `hub.v1.${Entity}.*` : never;

/** The subjects that a pattern covers. */
export type SubjectsOf<P extends SubjectPattern> = P extends `${infer Head}.${'>' | '*'}`
  ? Extract<Subject, `${Head}.${string}`>
  : Extract<P, Subject>;

/** Whether the catalogue has an event of this subject. */
export function isSubject(value: string): value is Subject {
  return Object.hasOwn(events, value);
}

/** All commands of the hub. They are not stored in the stream, so a process that is down does not receive them. */
export const commands = {
  'hub.cmd.v1.processor.restart': {
    description: 'Restart the processor. The command is repeated until a heartbeat acknowledges it.',
    schema: Type.Object({
      command_id: id('Id of the command, used to acknowledge it'),
      requested_at: instant('When the restart was first requested'),
    }),
  },
  'hub.cmd.v1.pictures.make': {
    description:
      'Create the pictures of a recording before those of all others. The reply, sent when they are ' +
      'created, is `{ outcome }`: `made`; `unmade` when not all of them can be created; `pending` when the ' +
      'file is not complete yet; `busy` when there are too many requests.',
    schema: Type.Object({ video_id: id('Id of the recording') }),
  },
} as const satisfies Record<`hub.cmd.v1.${string}.${string}`, MessageDefinition>;

/** A subject of the command catalogue. */
export type CommandSubject = keyof typeof commands;

/** The replies to commands that have one. */
const replies = {
  'hub.cmd.v1.pictures.make': Type.Object({
    outcome: Type.Union([
      Type.Literal('made'),
      Type.Literal('unmade'),
      Type.Literal('pending'),
      Type.Literal('busy'),
    ]),
  }),
} as const satisfies Partial<Record<CommandSubject, TObject>>;

/** A command with a reply. */
export type RequestSubject = keyof typeof replies;

/** Request subject to the type of its reply. */
export type ReplyMap = { [R in RequestSubject]: Static<(typeof replies)[R]> };

/** Command subject to payload type. */
export type CommandMap = { [C in CommandSubject]: Static<(typeof commands)[C]['schema']> };

/** Thrown for a payload that does not match the catalogue; a retry cannot succeed. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  readonly subject: string;

  constructor(subject: string, reason: string, options?: ErrorOptions) {
    super(`${subject}: ${reason}`, options);
    this.subject = subject;
  }
}

const ajv = new Ajv({ strict: false });
formats.default(ajv);
const validators = new Map<string, ValidateFunction>();

function validatorOf(subject: string, schema: TSchema): ValidateFunction {
  let validator = validators.get(subject);
  if (!validator) {
    validator = ajv.compile(schema);
    validators.set(subject, validator);
  }
  return validator;
}

function check(subject: string, schema: TSchema, payload: unknown): void {
  const validator = validatorOf(subject, schema);
  if (validator(payload)) return;
  const [first] = validator.errors ?? [];
  throw new InvalidEventError(subject, `payload${first?.instancePath ?? ''} ${first?.message ?? 'is wrong'}`);
}

/** @throws InvalidEventError when the subject is not in the catalogue or the payload does not match */
export function assertEvent<S extends Subject>(subject: S, payload: unknown): asserts payload is EventMap[S] {
  if (!isSubject(subject)) throw new InvalidEventError(subject, 'no such event');
  check(subject, events[subject].schema, payload);
}

/**
 * Returns the typed payload of a received event. Unknown keys are kept, as a newer service may have added them.
 * @throws InvalidEventError
 */
export function parseEvent<S extends Subject>(subject: S, payload: unknown): EventMap[S] {
  assertEvent(subject, payload);
  return payload;
}

/** @throws InvalidEventError when the payload does not match the command */
export function assertCommand<C extends CommandSubject>(
  subject: C,
  payload: unknown,
): asserts payload is CommandMap[C] {
  check(subject, commands[subject].schema, payload);
}

/** @throws InvalidEventError when the payload is not a valid reply to the command */
export function assertReply<R extends RequestSubject>(
  subject: R,
  payload: unknown,
): asserts payload is ReplyMap[R] {
  check(`reply to ${subject}`, replies[subject], payload);
}
