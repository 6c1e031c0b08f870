/** Keys of error texts in the namespace `components`, which every page loads, by error code. */
export const textKeys = {
  unreachable: 'unreachable',
  wrong_password: 'wrong_password',
  too_many_attempts: 'too_many_attempts',
  unlock_required: 'locked',
  admin_required: 'locked',
  csrf_rejected: 'csrf_rejected',
  storage_full: 'storage_full',
  insufficient_storage: 'storage_full',
  starting: 'starting',
  overloaded: 'starting',
  busy: 'starting',
  upstream_unavailable: 'part_down',
  upstream_timeout: 'part_down',
  internal: 'unexpected',
  media_pending: 'media_pending',
  media_missing: 'media_missing',
  media_purged: 'media_purged',
  recording_deleted: 'recording_deleted',
} as const;

/** Whether an error code has a text in the namespace `components`. */
export const isCommon = (code: string): code is keyof typeof textKeys => code in textKeys;

/** Codes that share a text. */
const sharedTexts: Readonly<Record<string, string>> = {
  forbidden: 'not_allowed',
  insufficient_scope: 'not_allowed',
  camera_not_allowed: 'not_allowed',
  invalid_token: 'not_allowed',
  too_many_alert_rules: 'too_many',
  too_many_channels: 'too_many',
  too_many_shares: 'too_many',
  too_many_sources: 'too_many',
  too_many_tokens: 'too_many',
};

/** Returns the last part of the text key of an error code. */
export const errorTextKey = (code: string): string =>
  sharedTexts[code] ?? (code.endsWith('_not_found') ? 'gone' : code);
