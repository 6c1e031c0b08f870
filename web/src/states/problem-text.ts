import type { TFunction } from 'i18next';
import { Problem } from '../api/problem';

const known = {
  unreachable: 'unreachable',
  wrong_password: 'wrong_password',
  too_many_attempts: 'too_many_attempts',
  unlock_required: 'locked',
  admin_required: 'locked',
  csrf_rejected: 'csrf_rejected',
  storage_full: 'storage_full',
  starting: 'starting',
  overloaded: 'starting',
  busy: 'starting',
  upstream_unavailable: 'part_down',
  upstream_timeout: 'part_down',
  media_pending: 'media_pending',
  media_missing: 'media_missing',
  media_purged: 'media_purged',
  recording_deleted: 'recording_deleted',
} as const;

const isKnown = (code: string): code is keyof typeof known => code in known;

/** What went wrong in the reader's language, with what to do about it; the hub's own words where there are none. */
// biome-ignore lint/suspicious/noExplicitAny: texts of any namespace reach the one named here.
export function problemText(t: TFunction<any>, error: Error): string {
  const say = t as unknown as TFunction<'states'>;
  if (!(error instanceof Problem)) return say('unexpected', { ns: 'states' });
  if (isKnown(error.code)) {
    return say(known[error.code], { ns: 'states', seconds: error.retryAfterSeconds ?? 10 });
  }
  return error.message === '' ? say('unexpected', { ns: 'states' }) : error.message;
}
