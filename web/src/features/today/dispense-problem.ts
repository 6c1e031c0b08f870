import type { TFunction } from 'i18next';
import { Problem, problemText } from '../../api/problem';

const known = {
  feeder_not_configured: 'no_feeder',
  dispense_in_progress: 'dispense_in_progress',
  feeder_cooldown: 'feeder_cooldown',
  upstream_unavailable: 'feeder_away',
  upstream_timeout: 'feeder_away',
} as const;

const isKnown = (code: string): code is keyof typeof known => Object.hasOwn(known, code);

/** Why no portion was given, and what to do about it. */
export function dispenseProblem(t: TFunction<'today'>, error: Error): string {
  if (error instanceof Problem && isKnown(error.code)) {
    return t(known[error.code], { seconds: error.retryAfterSeconds ?? 30 });
  }
  return problemText(t, error);
}
