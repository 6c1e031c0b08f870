import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { TSchema } from 'typebox';
import {
  type CommandMap,
  type CommandSubject,
  commands,
  type EventMap,
  events,
  isSubject,
  type ReplyMap,
  type RequestSubject,
  replies,
  type Subject,
} from './event-catalogue.js';

/** A payload that the catalogue does not allow for its subject; sending it again cannot succeed. */
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

/** @throws InvalidEventError when the subject is not in the catalogue or the payload is not what it allows */
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

/** @throws InvalidEventError when the payload is not what the command allows */
export function assertCommand<C extends CommandSubject>(
  subject: C,
  payload: unknown,
): asserts payload is CommandMap[C] {
  check(subject, commands[subject].schema, payload);
}

/** @throws InvalidEventError when the payload is no reply to the command */
export function assertReply<R extends RequestSubject>(
  subject: R,
  payload: unknown,
): asserts payload is ReplyMap[R] {
  check(`reply to ${subject}`, replies[subject], payload);
}
