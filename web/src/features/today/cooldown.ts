import type { components } from '../../api/schema';

type FeedInfo = components['schemas']['FeedInfo'];

/** Whole seconds until the feeder gives again; where the clocks of hub and device disagree, the hub decides. */
export function cooldownSeconds({ last_dispense_at, cooldown_seconds }: FeedInfo, now: Date): number {
  if (last_dispense_at === null) return 0;
  const sinceSeconds = (now.getTime() - Date.parse(last_dispense_at)) / 1_000;
  if (sinceSeconds < -cooldown_seconds) return 0;
  const remaining = Math.ceil(cooldown_seconds - sinceSeconds);
  return Math.min(Math.max(0, remaining), Math.ceil(cooldown_seconds));
}
