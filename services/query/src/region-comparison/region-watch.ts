import { ebirdRegionOf, type SettingsReader } from '@birdhub/domain/settings';
import { createLoop } from '@birdhub/shared/async';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExternalApis } from '../external/external-apis.js';
import { readRegion } from './region-comparison.js';

/** Dependencies of the watch. */
export interface RegionWatchDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly externalApis: ExternalApis;
  readonly log: Logger;
}

const checkIntervalMs = 10 * 60_000;

/** Alert rules use the stored list and do not fetch it. */
const wantedSql = `
  SELECT FROM alert_rule WHERE rule ->> 'when' = 'rare_in_region' AND coalesce(rule ->> 'enabled', 'true') = 'true' LIMIT 1`;

/**
 * Creates a watch that refreshes the list of the region while an alert rule uses it, even if nobody opens the page of
 * the region. Any number of processes may run it; only one fetches.
 */
export function createRegionWatch(deps: RegionWatchDeps): { start(): void; stop(): Promise<void> } {
  const { settings, log } = deps;
  const loop = createLoop({
    everyMs: checkIntervalMs,
    work: () => refreshRegion(deps),
    onError: (error) => log.warn({ err: error }, 'list of the region not updated, retrying'),
  });
  let stopWatching = () => {};
  return {
    start() {
      stopWatching = settings.watch(() => loop.wake(), ['ebird', 'secrets']);
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}

/** Fetches the list of the region unless it is fresh or no rule uses it. */
export async function refreshRegion({
  pool,
  settings,
  externalApis,
}: Pick<RegionWatchDeps, 'pool' | 'externalApis'> & {
  readonly settings: Pick<SettingsReader, 'current'>;
}): Promise<void> {
  const current = await settings.current();
  const region = ebirdRegionOf(current);
  const { ebird_api_key: key } = current.secrets;
  if (!region || !key) return;
  if ((await pool.query(wantedSql)).rowCount) await readRegion(externalApis, region, key);
}
