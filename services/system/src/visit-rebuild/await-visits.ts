import { setTimeout as pause } from 'node:timers/promises';
import type { SettingsWriter } from '@birdhub/domain/settings';
import { isVisitRule, type WantedRule } from '@birdhub/domain/visits';
import type { Bell } from '@birdhub/shared/db';
import type pg from 'pg';
import { wantedRule } from './wanted-rule.js';

/** What it is known by that visits follow. */
export interface AwaitedVisits {
  readonly pool: pg.Pool;
  readonly bell: Pick<Bell, 'ring'>;
  /** How long whoever changes the rule is made to wait: a large hub takes longer. */
  readonly patienceMs?: number;
}

const ruleKeys = ['general.timezone', 'visits.gap_seconds'];
const lookMs = 20;

async function becomesRule(pool: pg.Pool, wanted: WantedRule, patienceMs: number): Promise<boolean> {
  const until = performance.now() + patienceMs;
  while (!(await isVisitRule(pool, wanted))) {
    if (performance.now() > until) return false;
    await pause(lookMs);
  }
  return true;
}

/** A writer that answers a change of the zone or of the gap when the visits are made by it, if that is soon. */
export function awaitVisits(
  writer: SettingsWriter,
  { pool, bell, patienceMs = 2_000 }: AwaitedVisits,
): SettingsWriter {
  return {
    ...writer,
    async change(change, by) {
      const changed = await writer.change(change, by);
      if (!changed.keys.some((key) => ruleKeys.includes(key))) return changed;
      const isRule = await becomesRule(pool, wantedRule(changed.settings), patienceMs);
      return isRule ? { ...changed, ring: bell.ring({ kind: 'everything' }) } : changed;
    },
  };
}
