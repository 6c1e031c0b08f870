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
      'What the recording consists of: video, sound alone, or the picture of a sighting; null without a medium',
    ),
  );

interface MessageDefinition {
  readonly description: string;
  readonly schema: TObject;
}

/** All events of the stream; a breaking change of a payload requires a new subject. */
export const events = {
  'hub.v1.recording.upserted': {
    description: 'A recording was posted for the first time, or again with other content.',
    schema: Type.Object({
      video_id: id('The recording'),
      media_kind: mediaKind(),
      camera_id: orNull(Type.String(), 'Camera that recorded it, null when the processor named none'),
      start_time: instant('Start of the recording'),
      end_time: instant('End of the recording'),
      created: flag('Whether it is new; false when an earlier post was replaced'),
      detections: count('Detections it holds now'),
      species_ids: ids('Species seen or heard in it, those of the replaced content included'),
      visit_ids: ids('Visits that its detections belong to now'),
    }),
  },
  'hub.v1.recording.removed': {
    description: 'A person deleted a recording and its detections.',
    schema: Type.Object({
      video_id: id('The recording that was removed'),
      media_kind: mediaKind(),
      camera_id: orNull(Type.String(), 'Camera that recorded it, null when the processor named none'),
      start_time: instant('Start of the recording'),
      visit_ids: ids('Visits that it took part in; those left without detections no longer exist'),
    }),
  },
  'hub.v1.recording.purged': {
    description: 'The files of recordings were cleared to free space; their detections and visits stay.',
    schema: Type.Object({ video_ids: ids('The recordings') }),
  },
  'hub.v1.media.uploaded': {
    description: 'The file of a recording that awaited it was uploaded.',
    schema: Type.Object({
      video_id: id('The recording'),
      media_kind: mediaKind(),
      path: text('Path of the file inside the recordings folder'),
      bytes: count('Size of the file'),
    }),
  },
  'hub.v1.pictures.finished': {
    description: 'Poster, crops and spectrogram of a recording were made, or cannot be made.',
    schema: Type.Object({
      video_id: id('The recording'),
      media_kind: mediaKind(),
      poster: flag('Whether it has a poster now'),
      spectrogram: flag('Whether it has a spectrogram now'),
      crops: count('Detections that have a picture of their own now'),
      failure: orNull(
        Type.String(),
        'Why there is no poster: `missing` when the file never came, `unreadable`, `undecodable`; null when there is one, or nothing to be seen',
      ),
    }),
  },
  'hub.v1.detection.notified': {
    description: 'The processor reports a detection for notifications.',
    schema: Type.Object({
      notice_id: text('Names this notice'),
      species_name: text('Species as the processor names it'),
      link: orNull(Type.String(), 'Page to open, null when none was given'),
      image_path: orNull(Type.String(), 'Picture below the data folder, null when there is none'),
      has_image: flag('Whether the processor sent a picture'),
      notified_at: instant('When the hub received it'),
    }),
  },
  'hub.v1.detection.corrected': {
    description: 'A person corrected the species of detections.',
    schema: Type.Object({
      detection_ids: ids('Detections that were moved'),
      video_id: id('The recording they belong to'),
      media_kind: mediaKind(),
      from_species_ids: ids('Species they had before'),
      to_species_id: id('Species they have now'),
      visit_ids: ids('Visits of both species that were created, changed or removed'),
      corrected_at: instant('When the correction was made'),
    }),
  },
  'hub.v1.visit.started': {
    description: 'A visit started: a species after a silence longer than the gap.',
    schema: Type.Object({
      visit_id: id('The visit'),
      species_id: id('Its species'),
      species_name: text('Name of the species at that moment'),
      video_id: id('Recording that started the visit, the first of those that were stored together'),
      media_kind: mediaKind(),
      start_time: instant('Start of the visit; may lie long ago when a recording arrives late'),
      end_time: instant('End of the visit as known so far'),
    }),
  },
  'hub.v1.visit.extended': {
    description: 'A visit began earlier or lasted longer than was known.',
    schema: Type.Object({
      visit_id: id('The visit'),
      species_id: id('Its species'),
      species_name: text('Name of the species at that moment'),
      video_id: id('Recording that lengthened the visit, or the first of those that were stored together'),
      media_kind: mediaKind(),
      start_time: instant('Start of the visit as known now'),
      end_time: instant('End of the visit as known now'),
    }),
  },
  'hub.v1.motion.notified': {
    description: 'The processor detected motion.',
    schema: Type.Object({ notified_at: instant('When the hub received it') }),
  },
  'hub.v1.species.activated': {
    description: 'The processor sent a new list of the species it looks for.',
    schema: Type.Object({
      active_names: count('How many names the list holds'),
      species_ids: ids('Species that are active now'),
    }),
  },
  'hub.v1.species.edited': {
    description: 'A person edited a species.',
    schema: Type.Object({
      species_id: id('The species'),
      fields: texts('What was changed; never the values'),
      visits_changed: flag('Whether visits may have changed, as after a change of the parent'),
    }),
  },
  'hub.v1.species.merged': {
    description: 'A species was merged into another one, which now has its detections and names.',
    schema: Type.Object({
      merge_id: id('The merge, by which it can be reverted'),
      species_id: id('The species that was merged'),
      into_species_id: id('The species that it was merged into'),
      detections: count('How many detections moved'),
    }),
  },
  'hub.v1.species.separated': {
    description: 'A merge of two species was reverted.',
    schema: Type.Object({
      merge_id: id('The merge that was reverted'),
      species_id: id('The species that was restored'),
      into_species_id: id('The species that had its detections until then'),
      detections: count('How many detections moved back'),
    }),
  },
  'hub.v1.processor.reported': {
    description: 'The processor wrote a row of the activity log, a heartbeat for one.',
    schema: Type.Object({
      activity_id: id('The row'),
      type: text('Type of the row'),
      reported_at: instant('When it was written'),
    }),
  },
  'hub.v1.settings.updated': {
    description: 'Settings were changed.',
    schema: Type.Object({
      version: count('Version of the settings after the change'),
      keys: texts('Dotted names of the settings that changed; never their values'),
    }),
  },
  'hub.v1.job.finished': {
    description: 'A background job finished.',
    schema: Type.Object({
      job_id: id('The job'),
      kind: text('What it does'),
      state: text('How it ended'),
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

/** All commands of the hub. Commands are not stored in the stream: a process that is down does not receive them. */
export const commands = {
  'hub.cmd.v1.processor.restart': {
    description: 'Restart the processor; repeated until a heartbeat acknowledges it.',
    schema: Type.Object({
      command_id: id('Row of the command, named in the acknowledgement'),
      requested_at: instant('When it was requested first'),
    }),
  },
  'hub.cmd.v1.pictures.make': {
    description:
      'Make the pictures of a recording before all others. The reply, sent when they are made, is `{ outcome }`: ' +
      '`made`, `unmade` when not all of them can be made, `pending` when the file is not complete yet, `busy` when too many ' +
      'are requested.',
    schema: Type.Object({ video_id: id('The recording') }),
  },
} as const satisfies Record<`hub.cmd.v1.${string}.${string}`, MessageDefinition>;

/** A subject of the command catalogue. */
export type CommandSubject = keyof typeof commands;

/** The replies to commands that have one. */
export const replies = {
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
 * Returns the typed payload of a received event. Unknown keys stay: a newer service may have added them.
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
