import type { Settings } from '@birdhub/domain/settings';
import type { WantedRule } from '@birdhub/domain/visits';

/** The rule that visits are to be made by. */
export function wantedRule({ visits, general }: Pick<Settings, 'visits' | 'general'>): WantedRule {
  return { gapMs: Math.round(visits.gap_seconds * 1000), timezone: general.timezone };
}
