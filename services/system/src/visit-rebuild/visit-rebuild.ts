import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { findRunning, type Jobs, type TaskJobKind } from '@birdhub/domain/jobs';
import type { Settings, SettingsReader, SettingsWriter } from '@birdhub/domain/settings';
import { isVisitRule, type RebuildDeps, type RequestedRule, rebuildVisits } from '@birdhub/domain/visits';
import { createLoop } from '@birdhub/shared/async';
import type { ChangeNotifier } from '@birdhub/shared/db';
import { HubError } from '@birdhub/shared/errors';
import type pg from 'pg';
import type { Logger } from 'pino';

/** Dependencies of the alignment of visits. */
export interface VisitAlignmentDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly jobs: Pick<Jobs, 'start'>;
  readonly log: Logger;
  /** Delay before the next check while another rebuild runs or after a failure. */
  readonly retryMs?: number;
}

/** Dependencies of {@link awaitVisits}. */
export interface AwaitVisitsDeps {
  readonly pool: pg.Pool;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  /** How long a change of the rule waits for the rebuild, which may take longer on a large hub. */
  readonly timeoutMs?: number;
}

const ruleKeys = ['general.timezone', 'visits.gap_seconds'];
const pollIntervalMs = 20;

/**
 * Rebuilds the visits whenever the rule of the settings differs from the one they were built by, now and after each
 * change. Returns a function that stops this.
 */
export function startVisitAlignment(deps: VisitAlignmentDeps): () => Promise<void> {
  const { settings, log, retryMs = 5_000 } = deps;
  const loop = createLoop({
    everyMs: Number.POSITIVE_INFINITY,
    retryMs,
    async work() {
      const isBlocked = await startRebuild(deps, requestedRule(await settings.current()));
      return isBlocked ? retryMs : undefined;
    },
    onError: (error) => log.error({ err: error }, 'visits not rebuilt, retrying'),
  });
  const stopWatching = settings.watch(() => loop.wake(), ['general', 'visits']);
  return () => {
    stopWatching();
    return loop.stop();
  };
}

/**
 * Starts a rebuild unless the visits already follow the rule or are being rebuilt by it. Returns true when a rebuild by
 * another rule blocks it.
 */
async function startRebuild({ pool, jobs }: VisitAlignmentDeps, rule: RequestedRule): Promise<boolean> {
  const running = await findRunning(pool, 'visits');
  if (running) return !isDeepStrictEqual(running, rule);
  if (await isVisitRule(pool, rule)) return false;
  try {
    await jobs.start('visits', rule);
    return false;
  } catch (error) {
    if (error instanceof HubError && error.code === 'job_running') return true;
    throw error;
  }
}

/**
 * Returns a settings writer whose changes of the zone or the gap resolve when the visits are rebuilt, or after a
 * timeout.
 */
export function awaitVisits(
  writer: Pick<SettingsWriter, 'read' | 'change'>,
  { pool, notifier, timeoutMs = 2_000 }: AwaitVisitsDeps,
): Pick<SettingsWriter, 'read' | 'change'> {
  return {
    read: () => writer.read(),
    async change(change, by) {
      const changed = await writer.change(change, by);
      if (!changed.keys.some((key) => ruleKeys.includes(key))) return changed;
      // The rebuild job notifies too, but possibly after this response, whose consistency token must cover the visits.
      if (await waitForRule(pool, requestedRule(changed.settings), timeoutMs))
        notifier.notify({ kind: 'everything' });
      return changed;
    },
  };
}

async function waitForRule(pool: pg.Pool, rule: RequestedRule, timeoutMs: number): Promise<boolean> {
  const until = performance.now() + timeoutMs;
  while (!(await isVisitRule(pool, rule))) {
    if (performance.now() > until) return false;
    await pause(pollIntervalMs);
  }
  return true;
}

/** Returns the rule of the settings by which visits are to be built. */
function requestedRule({ visits, general }: Pick<Settings, 'visits' | 'general'>): RequestedRule {
  return { gapMs: Math.round(visits.gap_seconds * 1000), timezone: general.timezone };
}

const countSql = `SELECT coalesce(sum(value), 0)::int AS count FROM hub_counter WHERE name = 'detections'`;

/** Creates the job that rebuilds all visits by a new rule in one transaction: an interrupted job has no effect. */
export function createVisitJob(deps: RebuildDeps): TaskJobKind {
  return {
    name: 'visits',
    async perform({ parameters, report }) {
      if (!('gapMs' in parameters)) throw new Error('the parameters of the job contain no rule');
      const total = await countDetections(deps.pool);
      const visits = await rebuildVisits(deps, {
        rule: parameters,
        report: (progress) => {
          const { detections: processed, visits: generated } = progress;
          return report({ total, processed, generated, failed: 0, skipped: 0, failures: [] });
        },
      });
      return { visits };
    },
  };
}

/** Returns the maintained count of detections. */
async function countDetections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(countSql);
  return rows[0]?.count ?? 0;
}
