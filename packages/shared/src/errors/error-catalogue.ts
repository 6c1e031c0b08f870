/** What a stable error code means: the status it answers with and the text a person reads. */
export interface ErrorKind {
  readonly status: number;
  readonly message: string;
  /** What the body says when it is not the name of the entry: the code of another entry, with another status. */
  readonly code?: string;
}

const kinds = {
  invalid_request: { status: 400, message: 'The request is not valid.' },
  invalid_token: { status: 401, message: 'The token is not valid.' },
  wrong_password: { status: 401, message: 'Wrong password.' },
  unlock_required: { status: 403, message: 'Unlock the hub first.' },
  admin_required: { status: 403, message: 'This needs the administrator.' },
  forbidden: { status: 403, message: 'This caller may not do that.' },
  csrf_rejected: { status: 403, message: 'The request came from another site.' },
  route_not_found: { status: 404, message: 'There is no such route.' },
  video_not_found: { status: 404, message: 'There is no such recording.' },
  detection_not_found: { status: 404, message: 'There is no such detection.' },
  species_not_found: { status: 404, message: 'There is no such species.' },
  merge_not_found: { status: 404, message: 'There is no such merge of species.' },
  activity_not_found: { status: 404, message: 'There is no such activity row.' },
  job_not_found: { status: 404, message: 'There is no such job.' },
  food_not_found: { status: 404, message: 'There is no such food.' },
  file_not_found: { status: 404, message: 'There is no such file.' },
  dataset_empty: { status: 404, message: 'Nothing that was asked for has a picture.' },
  media_missing: { status: 404, message: 'The file of this recording is missing.' },
  method_not_allowed: { status: 405, message: 'This route does not know the method.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.' },
  conflict: { status: 409, message: 'Something else changed this in between.' },
  feeder_not_configured: { status: 409, message: 'The settings name no feeder.' },
  dispense_in_progress: { status: 409, message: 'The feeder is giving a portion already.' },
  picture_missing: {
    status: 409,
    code: 'media_missing',
    message: 'There is no picture: the file of its recording is missing.',
  },
  too_many_subscriptions: { status: 409, message: 'No more browsers can subscribe to this hub.' },
  job_cancelled: { status: 409, message: 'The job was cancelled before its end.' },
  job_running: { status: 409, message: 'Such a job is running already.' },
  confirm_required: {
    status: 409,
    message: 'That would clear more than half of all recordings; confirm it.',
  },
  recording_deleted: { status: 410, message: 'This recording was deleted.' },
  media_purged: { status: 410, message: 'The file of this recording was cleared to free space.' },
  payload_too_large: { status: 413, message: 'The body is too large.' },
  unsupported_media_type: { status: 415, message: 'The body must be JSON.' },
  range_not_satisfiable: { status: 416, message: 'The file has no such range.' },
  unknown_host: {
    status: 421,
    message:
      'The hub does not answer to the name in the Host header. If it is yours, list it in TRUSTED_HOSTS.',
  },
  feeder_cooldown: { status: 429, message: 'The feeder gave a portion just now; wait a moment.' },
  too_many_attempts: { status: 429, message: 'Too many attempts; wait a moment.' },
  internal: { status: 500, message: 'Something went wrong inside the hub.' },
  upstream_unavailable: { status: 502, message: 'The part of the hub that answers this is not reachable.' },
  starting: { status: 503, message: 'The hub is starting.' },
  storage_full: { status: 503, message: 'The disk is full.' },
  overloaded: { status: 503, message: 'The hub has too much to do; try again soon.' },
  busy: { status: 503, message: 'Too many such requests are under way; try again soon.' },
  database_unavailable: { status: 503, message: 'The database is not reachable.' },
  media_pending: { status: 503, message: 'The file of this recording has not arrived yet.' },
  upstream_timeout: { status: 504, message: 'The part of the hub that answers this took too long.' },
} as const satisfies Record<string, ErrorKind>;

/** The stable codes that error bodies carry. */
export type ErrorCode = keyof typeof kinds;

/** Every error the hub answers with; `docs/errors.md` is made from it. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = kinds;
