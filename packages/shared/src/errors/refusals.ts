import type { ErrorCode } from './error-catalogue.js';
import { type ErrorDetail, HubError } from './hub-error.js';
import { fillPlaceholders, type TextArguments, type TextValues } from './sentences.js';

type Given<Code extends RefusalCode> = TextArguments<(typeof refusals)[Code]>;

/**
 * The English messages for invalid form fields. Pages translate a refusal by its code, with the same values in place of
 * `{{name}}`.
 */
export const refusals = {
  required: 'must not be empty',
  too_long: 'must be at most {{limit}} characters',
  too_many: 'must be at most {{limit}}',
  unknown_field: 'is not a known field',
  plain_name: 'must be a name without control characters',
  plain_text: 'must not have control characters',
  web_address: 'must be an address that begins with http:// or https://',
  address_login: 'must not have a user name or password; they have fields of their own',
  address_query: 'must not have a part behind ? or #',
  address_needed: 'is needed: the address of {{program}}, such as {{example}}',
  path_needed: 'is needed: the path of the database on this machine, such as {{example}}',
  needed_with_user: 'is needed with a user name',
  needed_with_password: 'is needed with a password',
  broker_address: 'must be an address such as mqtt://192.168.1.5:1883',
  address_outside: 'is neither in this network nor on the internet',
  address_own: 'is that of a service of the hub itself',
  topic: 'must be a topic without + and #',
  topic_ends: 'must be a topic without + and #, and without a slash at its ends',
  frigate_label: 'must be a label of Frigate, such as bird',
  time_zone: 'must be an IANA time zone such as Europe/Berlin',
  absolute_path: 'must be an absolute path',
  absolute_database: 'must be absolute: it begins with a slash',
  readable_path: 'must be a file or folder that the hub can read',
  own_folder: 'must not be a folder of the hub itself or of the system',
  vapid_key: 'must be a public key of P-256 in base64url',
  topic_published: 'must be neither within the topics that the hub publishes nor above them',
  topic_posts: 'must be neither within mqtt.post_topic nor above it',
  pattern_text: 'must say what the pattern is applied to',
  pattern: 'must be a regular expression of RE2: {{reason}}',
  group_unknown: 'has the group {{group}}, which is none of {{fields}}',
  group_needed: 'must have a group named like a field, such as (?<species_name>.+)',
  secret_again: 'must be entered again, as it would be sent to another address',
  token_or_password: 'must be empty with a password; one of them is enough',
  apprise_services: 'must name a service, unless there is a key of a configuration',
  apprise_key: 'must be empty when there is a key',
  unencrypted_password: 'must not be none with a password, which would be readable',
  mqtt_host: 'must be a host or an address of mqtt, mqtts, ws or wss without a login',
  own_broker: 'must not be empty with a password, which is for another broker',
  discord_webhook: 'must be the address of a webhook: https://discord.com/api/webhooks/…',
  placeholder: 'has the unknown placeholder {{placeholder}}; known are {{known}}',
  favourites_needed: 'must name the favourite species',
  both_ends: 'must be given together with {{other}}',
  name_of_token: 'is the name of another token',
  name_of_species: 'is a name of {{species}}',
  ebird_code_taken: 'belongs to another species',
  own_descendant: 'is the species itself or below it',
  root_parent: 'must be left out: nothing is above the root',
  no_species: 'names no species',
  generic_species: 'A generic species cannot become another one.',
  noise_species: 'Noise makes no visit, so a species cannot become it. Set its parent to Noise instead.',
  noise_correction: 'Noise makes no visit: delete the recording instead.',
  noise_sighting: 'is noise, which makes no visit',
  photo_kind: 'must be a JPEG, PNG or WebP picture',
  photo_damaged: 'must be a picture that can be decoded',
  photo_pixels: 'must have at most {{millions}} million pixels',
  file_size: 'must be at most {{megabytes}} MB',
  before_2000: 'must not be before the year 2000',
  too_far_ahead: 'must not be more than a day ahead',
  in_past: 'must be in the future',
  before_start: 'must be later than since',
  after_recording: 'must not be after the end of the recording, {{seconds}} s',
  checklist_header:
    'line {{line}}: is no header of AviList, of the eBird taxonomy or of the multilingual IOC list',
  checklist_line: 'line {{line}}: {{reason}}',
} as const;

/** One of {@link refusals}. */
export type RefusalCode = keyof typeof refusals;

/** Codes of refusals by the schema of a request; their messages come from the validator. */
export const schemaRefusals = [
  'not_among',
  'wrong_type',
  'wrong_form',
  'too_small',
  'too_large',
  'not_above',
  'not_below',
  'too_short',
  'too_few',
  'repeated',
] as const;

/** Returns a detail that pages can translate. */
export function refuse<Code extends RefusalCode>(
  path: string,
  code: Code,
  ...[values]: Given<Code>
): ErrorDetail {
  const given = values as TextValues | undefined;
  return { path, message: fillPlaceholders(refusals[code], given), code, ...(given && { values: given }) };
}

/** Returns an error with one detail and its message, see {@link refuse}. */
export function errorOf(code: ErrorCode, detail: ErrorDetail): HubError {
  return new HubError(code, { message: detail.message, details: [detail] });
}

/** Returns an `invalid_request` that names one field, which pages can translate. */
export function refused<Code extends RefusalCode>(path: string, code: Code, ...given: Given<Code>): HubError {
  const detail = refuse(path, code, ...given);
  return new HubError('invalid_request', {
    message: `${path || 'body'}: ${detail.message}`,
    details: [detail],
  });
}
