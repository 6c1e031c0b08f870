import { HubError } from '@birdhub/shared/errors';
import { RefusedAddressError } from '@birdhub/shared/outgoing';

/**
 * Messages about sources in English. The UI translates a message by its code, with the same values in place of
 * `{{name}}`.
 */
export const sentences = {
  other: '{{text}}',
  responds: 'It responds.',
  login_right: 'The user name and the password are right.',
  login_not_given: 'No login was given.',
  login_not_needed: 'No login is needed.',
  login_not_needed_file: 'A file needs no login.',
  is_version: 'It is {{version}}.',
  birds_readable: 'Its birds can be read.',
  no_birds_heard: 'There are no birds yet: they appear here as soon as {{program}} hears one.',
  no_birds_seen: 'There are no birds yet: they appear here as soon as {{program}} sees one.',
  no_birds: 'There are no birds in it.',
  newest_bird: 'The newest bird: {{bird}}, {{at}}.',
  none_usable: 'None of its last {{number}} birds can be used.',
  clip_fetched: 'A clip was fetched.',
  clip_fetched_size: 'A clip of {{megabytes}} MB was fetched.',
  clip_later: 'It is fetched later.',
  clip_first: 'There is no bird with a clip yet: the first one will show.',
  without_sound: 'Birds are taken without their sound.',
  without_clips: 'Birds are taken without their clips.',
  exports_clips: 'Does BirdNET-Go export audio clips?',
  too_slow: 'It does not respond in time.',
  test_too_slow: 'The test took too long.',
  address_outside: 'This address is not allowed: it is neither in this network nor on the internet.',
  address_own: 'This address is not allowed: it is that of a service of the hub itself.',
  certificate: 'Its certificate is not trusted ({{code}}).',
  unreachable: 'It cannot be reached ({{code}}).',
  no_listener: 'Nothing listens at this address and port.',
  no_host: 'There is no host with this name.',
  name_unresolved: 'The name of the host cannot be resolved just now.',
  host_unreachable: 'The host cannot be reached.',
  network_unreachable: 'The network of the host cannot be reached.',
  host_silent: 'The host does not respond.',
  connection_closed: 'The connection was closed before the response was complete.',
  no_https: 'It does not speak HTTPS at this port.',
  no_http: 'It does not speak HTTP at this port.',
  no_address: 'The source has no address.',
  path_leads_away: 'A path leads away from the address of the source.',
  redirects_too_often: 'It redirects too often.',
  redirects_to_nowhere: 'It redirects to nowhere.',
  redirects_to_other_host: 'It redirects to another host, which is not followed.',
  redirects_to_http: 'It redirects from HTTPS to HTTP, which is not followed.',
  response_too_large: 'Its response is too large.',
  response_incomplete: 'Its response broke off.',
  file_too_large: 'The file is larger than {{bytes}} bytes.',
  file_stalled: 'The file stopped coming.',
  no_events: 'Its events are not available (status {{status}}).',
  broker: 'The broker: {{reason}}.',
  broker_address: 'The address of the broker is not one of MQTT.',
  same_page: 'It repeats the same page of its list again and again.',
  endless_list: 'Its list of birds does not come to an end.',
  full_day: 'It has more than {{number}} birds in one day ({{day}}).',
  hub_full: 'The disk of the hub is full.',
  unreadable: 'It could not be read; the log of the hub says why.',
  key_lost: 'The key of its password is lost: enter the password again.',
  source_deleted: 'The source was deleted.',
  source_closed: 'The source was closed.',
  other_reasons: 'Other reasons.',
  status: '{{program}} responded with status {{status}}.',
  status_at: '{{program}} responds to {{path}} with status {{status}}.',
  asks_login: '{{program}} asks for a login: enter its user name and password here.',
  asks_login_clips: '{{program}} asks for a user name and a password for its clips.',
  login_wrong: '{{program}} does not take this user name and password.',
  login_no_session: '{{program}} took the password, but opened no session.',
  login_too_often: '{{program}} saw too many logins: it takes the next in some minutes.',
  login_elsewhere: '{{program}} has no logins at this address: leave user and password empty.',
  login_status: '{{program}} did not take the login (status {{status}}).',
  login_not_kept: '{{program}} does not accept its own login.',
  logged_in: 'Logged in as {{user}}.',
  may_not_read: '{{program}} does not let this user read its birds.',
  may_not_fetch: '{{program}} does not let this user fetch clips.',
  may_not_rename: '{{program}} does not let this user change names: that needs the role admin.',
  may_not_read_path: '{{program}} does not let this user read {{path}}.',
  needs_login_for_all:
    '{{program}} needs a login to show all of its birds: enter user name and password here.',
  too_many_requests: '{{program}} had too many requests; it is asked again later.',
  not_birdnet_go:
    'It does not respond as a BirdNET-Go with API v2 does. Is the address complete, with the base path if it has one?',
  no_api_path: 'It has no API v2 with {{path}}: is it a BirdNET-Go of 2025 or later?',
  not_ya_wamf: 'It does not respond as a YA-WAMF does. Is this its address?',
  odd_list: 'Its list of detections is not as expected.',
  clip_unnamed: '{{program}} names no clip.',
  clip_none: '{{program}} has no clip of it.',
  clip_gone: '{{program}} no longer has its clip.',
  clip_gone_both: 'Neither YA-WAMF nor Frigate has its clip.',
  clip_being_written: 'Its clip is still being written.',
  clip_not_in_folder: 'Its clip is no longer in the folder By_Date.',
  clip_no_folder: 'There is no folder By_Date beside the database, and no address to download clips from.',
  clip_linked: 'Its clip is a link to another folder.',
  clip_too_large: 'Its clip has {{bytes}} bytes.',
  clip_unreadable: 'The clip cannot be read ({{code}}).',
  clip_no_frigate: 'There is no address of a Frigate to fetch its clip from.',
  no_id: 'It has no id.',
  no_frigate_id: 'It has no id of Frigate.',
  no_time: 'It has no time.',
  no_date: '"{{text}}" is no date and time.',
  no_species: 'It has no name of a species.',
  no_confidence: 'Its confidence is not a number from 0 to 1.',
  low_confidence: 'Its confidence of {{confidence}} is below the {{min}} of this source.',
  file_elsewhere: 'The name of its file leads to another folder.',
  false_positive: 'A person marked it as a false positive in {{program}}.',
  bat: 'It is a bat: these are taken when "bat" is among the labels of this source.',
  unlikely:
    'BirdNET-Go calls it unlikely here: these are taken when "unlikely" is among the labels of this source.',
  hidden: 'It is hidden in {{program}}.',
  none_confident: 'No detection is as certain as the least confidence.',
  nothing_detected: 'Nothing was detected.',
  gone_while_open: 'It disappeared upstream before it had ended.',
  bad_id: 'Its id cannot be used.',
  bad_time: 'Its time cannot be used: it is before the year 2000, more than a day ahead, or unreadable.',
  db_found: 'The database {{path}} was found.',
  db_of: 'It is the database of a {{program}}.',
  db_not_in_folder: 'There is no birds.db in the folder {{path}}.',
  db_no_table: 'The database has no table "{{table}}": it is that of another program.',
  db_no_columns: 'The table "{{table}}" is missing columns: {{columns}}.',
  db_slow: 'The database does not answer in time.',
  db_missing: 'There is no file {{path}}. In a container it must be mounted.',
  db_forbidden: 'This service may not read {{path}}.',
  db_not_a_file: '{{path}} is not a file.',
  db_empty: '{{path}} is empty.',
  db_not_sqlite: '{{path}} is not an SQLite database.',
  db_busy: 'The database is being written; it is read again later.',
  db_damaged: 'The database is damaged, or was copied while it was being written.',
  db_not_closed: 'The program that writes the database was not closed properly: start it once.',
  db_wal:
    'The database is in WAL mode, for which its folder must be mounted so that it may be written; or read a copy that ".backup" of sqlite3 has made.',
  db_cannot_open: 'SQLite cannot open {{path}}: may this service read its folder?',
  db_disk: 'The disk or the network share of the database cannot be read.',
  db_unreadable: 'The database cannot be read ({{code}}).',
  path_relative: 'The path must be absolute: it begins with a slash.',
  frigate_there: 'Frigate is there.',
  frigate_wants_login: 'It is there, and asks for a login.',
  frigate_asks_login:
    'Frigate asks for a login: enter a user and password, or use port 5000, which asks for none.',
  frigate_https: 'This port speaks HTTPS: begin the address with https://.',
  frigate_down: 'A web server is there, but Frigate behind it is not running (status {{status}}).',
  not_frigate:
    'Something is there, but it is not Frigate. Its address looks like http://192.168.1.5:5000 or https://192.168.1.5:8971.',
  frigate_old: 'Frigate {{version}} is too old: 0.16 or later is needed. Please update Frigate.',
  frigate_version: 'Frigate {{version}}.',
  frigate_newer: 'Frigate {{version}}, which is newer than was tried here.',
  frigate_no_cameras: 'Frigate returns a configuration without cameras.',
  frigate_not_json: 'What Frigate returns for {{path}} is not JSON.',
  frigate_no_list: 'Frigate does not return a list for {{path}}.',
  frigate_role:
    'Names cannot be written back: this user has the role {{role}}, and the role admin is needed.',
  frigate_reviews: 'Birds can be read; each review item becomes one recording.',
  frigate_objects: 'Birds can be read; each tracked object becomes a recording of its own.',
  frigate_uncovered:
    'Not every object ({{labels}}) is in a review item on {{cameras}} (see review → detections → labels).',
  frigate_no_camera: 'Frigate has no camera {{cameras}}.',
  frigate_today: 'Birds in the last 24 hours: {{number}}.',
  frigate_month: 'None in the last 24 hours, {{number}} in the last 30 days.',
  frigate_none: 'None in the last 30 days. Frigate looks for {{labels}} on {{cameras}}.',
  frigate_none_heard: 'None in the last 30 days. Frigate listens for {{labels}}.',
  frigate_no_recording: 'No clips come from {{cameras}}: recording is off there (record → enabled).',
  frigate_not_tracked:
    'No camera of Frigate tracks {{labels}}: add it to objects → track in the configuration of Frigate.',
  frigate_keeps_nothing:
    'Frigate keeps nothing of what it sees on {{cameras}}: turn on record → enabled, or snapshots → enabled.',
  frigate_no_footage:
    'Frigate has no footage of the latest birds: look at record → enabled and at how long recordings are kept.',
  frigate_no_clip: 'Frigate did not return a clip (status {{status}}).',
  frigate_writing: 'Frigate is still writing the footage.',
  frigate_not_on_disk: 'Frigate does not have the footage on the disk yet.',
  frigate_empty_clip: 'Frigate returned an empty clip.',
  frigate_footage_gone: 'Frigate has no footage of this time any more.',
  frigate_nothing_kept: 'Frigate has recorded neither a clip nor a picture.',
  frigate_no_video: 'There is no clip, and of the picture no video could be made.',
  frigate_nothing_recorded: 'Frigate has recorded nothing.',
  frigate_odd_reviews: 'Frigate returns review items from another time than requested.',
  frigate_too_many: 'Frigate lists more than {{number}} at one time; the rest was left out.',
  frigate_several: 'There are several birds in it: it is unclear which one is meant.',
  frigate_not_kept: 'Frigate saw it, but kept neither a clip nor a picture.',
  frigate_no_review: 'It is in no review segment of Frigate.',
  frigate_no_object: 'Frigate has no object of it.',
  frigate_ahead: 'It is more than a day ahead: the clock of Frigate is wrong.',
  frigate_false_positive: 'Frigate found that it was a false positive.',
  frigate_heard: 'It was only heard ({{label}}), and sounds are not among the labels of this source.',
  frigate_label: 'Its label is {{label}}, which is not among those of this source.',
  frigate_no_label: 'It has no label.',
  frigate_bad_id: 'Its id is not one of Frigate.',
  frigate_no_start: 'It has no start time.',
  frigate_bad_camera: 'Its camera has no name that can be used.',
  frigate_bad_end: 'Its end is not a time.',
  frigate_ends_early: 'It ends before it starts.',
} as const;

/** One of {@link sentences}. */
export type SentenceCode = keyof typeof sentences;

type Values<Text extends string> = Text extends `${string}{{${infer Name}}}${infer Rest}`
  ? { readonly [key in Name]: string | number } & Values<Rest>
  : unknown;

/** A message with its values. Instants are RFC 3339, lists are joined with commas. */
export interface Sentence {
  readonly code: SentenceCode;
  readonly values: Readonly<Record<string, string | number>>;
}

const maxValueLength = 300;

/** Creates a message. Long values, which may come from upstream, are truncated. */
export function say<Code extends SentenceCode>(
  code: Code,
  ...[values]: unknown extends Values<(typeof sentences)[Code]>
    ? []
    : [values: Values<(typeof sentences)[Code]>]
): Sentence {
  const cut = Object.entries((values ?? {}) as Sentence['values']).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.slice(0, maxValueLength).toWellFormed() : value,
  ]);
  return { code, values: Object.fromEntries(cut) };
}

/** Returns the English text of messages. */
export function toEnglish(said: Sentence | readonly Sentence[]): string {
  return [said]
    .flat()
    .map(({ code, values }) =>
      sentences[code].replaceAll(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? '')),
    )
    .join(' ');
}

/** Returns the message of an error by which the hub refused something; undefined for other errors. */
export function describeRefusal(error: unknown): Sentence | undefined {
  if (error instanceof RefusedAddressError) return say(error.isOwn ? 'address_own' : 'address_outside');
  if (!(error instanceof HubError)) return undefined;
  return error.code === 'storage_full' ? say('hub_full') : say('other', { text: error.message });
}
