import type { TFunction } from 'i18next';
import { Problem, problemText } from '../../api/problem';
import type { components } from '../../api/schema';

type FeedInfo = components['schemas']['FeedInfo'];

/** Whole seconds until the next portion, capped so that a wrong device clock cannot block the button. */
export function cooldownSeconds({ last_dispense_at, cooldown_seconds }: FeedInfo, now: Date): number {
  if (last_dispense_at === null) return 0;
  const sinceSeconds = (now.getTime() - Date.parse(last_dispense_at)) / 1_000;
  if (sinceSeconds < -cooldown_seconds) return 0;
  const remaining = Math.ceil(cooldown_seconds - sinceSeconds);
  return Math.min(Math.max(0, remaining), Math.ceil(cooldown_seconds));
}

const known = {
  feeder_not_configured: 'no_feeder',
  dispense_in_progress: 'dispense_in_progress',
  feeder_cooldown: 'feeder_cooldown',
  upstream_unavailable: 'feeder_away',
  upstream_timeout: 'feeder_away',
} as const;

const isKnown = (code: string): code is keyof typeof known => Object.hasOwn(known, code);

/** Returns why no portion was dispensed, with advice. */
export function dispenseProblem(t: TFunction<'today'>, error: Error): string {
  if (error instanceof Problem && isKnown(error.code)) {
    return t(known[error.code], { seconds: error.retryAfterSeconds ?? 30 });
  }
  return problemText(t, error);
}
