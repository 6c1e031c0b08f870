/** The HTTP status and the message of a stable error code. */
export interface ErrorKind {
  readonly status: number;
  readonly message: string;
  /** The code in the response body, if it differs from the name of the entry. */
  readonly code?: string;
}

const kinds = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  digest_mismatch: { status: 400, message: 'The digest does not match the received content.' },
  invalid_token: { status: 401, message: 'The token is not valid.' },
  wrong_password: { status: 401, message: 'Wrong password.' },
  unlock_required: { status: 403, message: 'Unlock the hub first.' },
  admin_required: { status: 403, message: 'This requires the administrator.' },
  forbidden: { status: 403, message: 'This caller is not allowed to do that.' },
  insufficient_scope: { status: 403, message: 'The token lacks the scope for this.' },
  camera_not_allowed: { status: 403, message: 'The token is for other cameras.' },
  sharing_forbidden: { status: 403, message: 'The administrator does not allow sharing.' },
  csrf_rejected: { status: 403, message: 'The request came from another site.' },
  route_not_found: { status: 404, message: 'Route not found.' },
  video_not_found: { status: 404, message: 'Recording not found.' },
  visit_not_found: { status: 404, message: 'Visit not found.' },
  detection_not_found: { status: 404, message: 'Detection not found.' },
  species_not_found: { status: 404, message: 'Species not found.' },
  checklist_not_found: { status: 404, message: 'No checklist of this publisher is loaded.' },
  merge_not_found: { status: 404, message: 'Merge of species not found.' },
  activity_not_found: { status: 404, message: 'Activity row not found.' },
  alert_rule_not_found: { status: 404, message: 'Alert rule not found.' },
  source_not_found: { status: 404, message: 'Source not found.' },
  demo_not_found: { status: 404, message: 'There is no demo.' },
  channel_not_found: { status: 404, message: 'Notification channel not found.' },
  job_not_found: { status: 404, message: 'Job not found.' },
  food_not_found: { status: 404, message: 'Food not found.' },
  mcp_disabled: { status: 404, message: 'Assistants are not allowed: turn them on in the settings first.' },
  file_not_found: { status: 404, message: 'File not found.' },
  hook_not_found: { status: 404, message: 'The settings have no hook of this name.' },
  camera_not_found: { status: 404, message: 'The settings have no camera of this id.' },
  share_not_found: { status: 404, message: 'This link does not exist or is no longer valid.' },
  token_not_found: { status: 404, message: 'Token not found.' },
  nothing_on_day: { status: 404, message: 'No bird came on this day.' },
  dataset_empty: { status: 404, message: 'No detection that matches has a picture.' },
  media_missing: { status: 404, message: 'The file of this recording is missing.' },
  method_not_allowed: { status: 405, message: 'This route does not allow the method.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  conflict: { status: 409, message: 'This was changed by another request.' },
  feeder_not_configured: { status: 409, message: 'No feeder is configured.' },
  dispense_in_progress: { status: 409, message: 'The feeder is already dispensing.' },
  picture_missing: {
    status: 409,
    code: 'media_missing',
    message: 'There is no picture: the file of its recording is missing.',
  },
  token_name_taken: { status: 409, message: 'Another token has this name.' },
  source_name_taken: { status: 409, message: 'Another source has this name.' },
  channel_name_taken: { status: 409, message: 'Another notification channel has this name.' },
  channel_exists: { status: 409, message: 'The hub has a channel for browsers; it cannot have another.' },
  too_many_channels: {
    status: 409,
    message: 'The hub cannot have more notification channels; delete one first.',
  },
  source_paused: { status: 409, message: 'The source is paused; enable it first.' },
  too_many_alert_rules: { status: 409, message: 'The hub cannot have more alert rules; delete one first.' },
  too_many_sources: { status: 409, message: 'The hub cannot have more sources; delete one first.' },
  too_many_tokens: { status: 409, message: 'The hub cannot have more tokens; revoke one first.' },
  live_not_configured: {
    status: 409,
    message: 'No live picture address that can be shown this way is set for this camera.',
  },
  too_many_shares: { status: 409, message: 'The hub cannot have more shared links; revoke one first.' },
  too_many_subscriptions: { status: 409, message: 'No more browsers can subscribe to this hub.' },
  demo_running: { status: 409, message: 'The demo is there already, or is being removed.' },
  hub_not_empty: {
    status: 409,
    message: 'The hub has birds of its own; confirm that the demo is added to them.',
  },
  location_missing: {
    status: 409,
    message: 'Set the latitude and longitude of the hub in the settings first.',
  },
  media_exists: { status: 409, message: 'There is another file of this name; files are not replaced.' },
  upload_in_progress: { status: 409, message: 'This file is being uploaded by another request.' },
  job_cancelled: { status: 409, message: 'The job was cancelled before it finished.' },
  job_not_pausable: { status: 409, message: 'A job of this kind cannot be paused; it can be cancelled.' },
  job_running: { status: 409, message: 'A job of this kind is already running.' },
  confirm_required: {
    status: 409,
    message: 'That would purge more than half of all recordings; set `confirm`.',
  },
  recording_deleted: { status: 410, message: 'This recording was deleted.' },
  media_purged: { status: 410, message: 'The file of this recording was deleted to free space.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be JSON.' },
  media_type_unsupported: { status: 415, message: 'The hub serves no files of this type.' },
  range_not_satisfiable: { status: 416, message: 'The file has no such range.' },
  upload_offset_mismatch: { status: 416, message: 'The part does not begin where the stored bytes end.' },
  unknown_host: {
    status: 421,
    message: 'The Host header is not a name of this hub. If it is yours, list it in TRUSTED_HOSTS.',
  },
  feeder_cooldown: { status: 429, message: 'The feeder has just dispensed a portion; wait a moment.' },
  too_many_attempts: { status: 429, message: 'Too many attempts; wait a moment.' },
  internal: { status: 500, message: 'Internal error.' },
  live_unavailable: { status: 502, message: 'The camera does not show its picture.' },
  live_not_playable: {
    status: 502,
    message: 'The address of the camera returns neither an MJPEG stream nor a JPEG picture.',
  },
  upstream_unavailable: { status: 502, message: 'The service that handles this is not reachable.' },
  starting: { status: 503, message: 'The hub is starting.' },
  storage_full: { status: 503, message: 'The disk is full.' },
  overloaded: { status: 503, message: 'The hub is overloaded; try again soon.' },
  busy: { status: 503, message: 'Too many requests of this kind are in progress; try again soon.' },
  database_unavailable: { status: 503, message: 'The database is not reachable.' },
  media_pending: { status: 503, message: 'The file of this recording has not arrived yet.' },
  upstream_timeout: { status: 504, message: 'The service that handles this took too long.' },
  insufficient_storage: { status: 507, message: 'The disk has no space for this file.' },
} as const satisfies Record<string, ErrorKind>;

/** The stable codes in error bodies. */
export type ErrorCode = keyof typeof kinds;

/** All errors that the hub returns; `docs/errors.md` is generated from it. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = kinds;
