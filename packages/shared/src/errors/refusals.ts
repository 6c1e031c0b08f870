import type { ErrorCode } from './error-catalogue.js';
import { type ErrorDetail, HubError } from './hub-error.js';
import { fillPlaceholders, type TextArguments, type TextValues } from './sentences.js';

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
  noise_species:
    'Noise does not count as a visit, so a species cannot be changed to it. Set Noise as its parent instead.',
  noise_correction: 'Noise does not count as a visit: delete the recording instead.',
  noise_sighting: 'is noise, which does not count as a visit',
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
  checklist_empty: 'line {{line}}: is missing: the file is empty',
  checklist_no_species: 'line {{line}}: is missing: no species follows the header',
  checklist_cells: 'line {{line}}: has {{cells}} cells instead of {{expected}}',
  checklist_repeated: 'line {{line}}: has the same species, {{name}}, as line {{before}}',
  checklist_rows: 'line {{line}}: exceeds the maximum of {{limit}} species',
  checklist_scientific: 'line {{line}}: has {{found}} instead of a scientific name of two words',
  checklist_english: 'line {{line}}: has no English name of {{name}}',
  checklist_code: 'line {{line}}: has {{found}} instead of an eBird code',
  checklist_control: 'line {{line}}: has a control character',
  checklist_utf16: 'line {{line}}: is text in UTF-16: save the table as CSV in UTF-8',
  checklist_archive:
    'line {{line}}: is a spreadsheet or an archive, not text: save the table as CSV in UTF-8',
  checklist_utf8: 'line {{line}}: has bytes that are not UTF-8: save the table as CSV in UTF-8',
  checklist_nul: 'line {{line}}: has a NUL character: save the table as CSV in UTF-8',
  checklist_size: 'must be a file of at most {{megabytes}} MB',
  checklist_quote: 'line {{line}}: has a quote that is not closed',
  checklist_misplaced_quote:
    'line {{line}}: has a quote within a cell: it must be doubled, and the cell quoted',
  checklist_long_row: 'line {{line}}: has more than {{limit}} characters',
  between: 'must be from {{min}} to {{max}}',
  admin_password_needed: 'needs a settings password',
  admin_password_kept: 'must stay while there is a contributor password',
  camera_id_taken: 'is the id of another camera',
  hook_name_taken: 'is that of another hook',
  food_name_taken: 'A food with this name already exists.',
  reference_gone: 'must be the id of a {{kind}}',
  not_with_trigger: 'does not apply to {{trigger}}',
  push_subscription: 'must be a subscription of a public push service',
  value_not_text: 'must be a text, is {{value}}',
  value_invisible: 'must have a visible character',
  value_not_confidence: 'must be a number such as 0.93 or "93%", is {{value}}',
  value_above_certain: 'must be at most 100%, is {{value}}',
  value_not_time: 'must be a time in RFC 3339 or in unix seconds or milliseconds, is {{value}}',
  value_not_count: 'must be a whole number from 1, is {{value}}',
  value_not_picture: 'must be an http(s) address or base64',
  value_not_address: 'must be an http(s) address of at most 2,000 characters',
  nothing_there: 'nothing is found there',
  name_not_found: 'is required, and nothing was found',
  text_not_found: 'there is no text',
  pattern_text_long: 'must be applied to a text of at most {{limit}} characters',
  pattern_unmatched: 'does not match the text',
  min_confidence: 'is more than {{confidence}}: nothing is stored',
  confidence_not_found: 'is not found, so that the minimum is not applied',
  date_time: 'must be an ISO 8601 date and time',
  end_before_start: 'must not be before {{start}}',
  end_too_late: 'must be at most 24 hours after {{start}}',
  media_path: 'must be the path of a file in the recordings',
  message_size: 'must have at most {{limit}}, has {{bytes}} bytes',
  message_topic: 'must be {{topic}}/<camera>',
  message_camera: 'the camera must have 1 to {{limit}} characters, none of them a control character, + or #',
  message_other_camera: 'must be {{camera}}, as in the topic, or be omitted',
  message_json: 'must be JSON: {{reason}}',
  message_object: 'must be a JSON object',
  message_status: 'must be online, offline or a JSON object',
  message_undated: 'is required in a retained message, as it is unknown when that was sent',
  message_failed: 'processing failed {{times}} times: {{reason}}',
} as const;

/** One of {@link refusals}. */
export type RefusalCode = keyof typeof refusals;

/** The arguments that the message of a refusal needs. */
export type RefusalArguments<Code extends RefusalCode> = TextArguments<(typeof refusals)[Code]>;

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
  ...[values]: RefusalArguments<Code>
): ErrorDetail {
  const given = values as TextValues | undefined;
  return { path, message: fillPlaceholders(refusals[code], given), code, ...(given && { values: given }) };
}

/** Returns an error with one detail and its message, see {@link refuse}. */
export function errorOf(code: ErrorCode, detail: ErrorDetail): HubError {
  return new HubError(code, { message: detail.message, details: [detail] });
}

/** Returns an `invalid_request` that names one field, which pages can translate. */
export function refused<Code extends RefusalCode>(
  path: string,
  code: Code,
  ...given: RefusalArguments<Code>
): HubError {
  const detail = refuse(path, code, ...given);
  return new HubError('invalid_request', {
    message: `${path || 'body'}: ${detail.message}`,
    details: [detail],
  });
}
