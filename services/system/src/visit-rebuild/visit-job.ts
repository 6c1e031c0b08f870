import type { SpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import type { ChangeNotifier } from '@birdhub/shared/db';
import type pg from 'pg';
import type { TaskJobKind } from '../jobs/job.js';

/** What the job needs. */
export interface VisitJobDeps {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
}

const countSql = `SELECT coalesce(sum(value), 0)::int AS count FROM hub_counter WHERE name = 'detections'`;

/** Rebuilds all visits by another rule in one transaction: an interrupted job has changed nothing. */
export function createVisitJob({ pool, directory, notifier }: VisitJobDeps): TaskJobKind {
  return {
    name: 'visits',
    async perform({ parameters, report }) {
      if (!('gapMs' in parameters)) throw new Error('a job of visits names no rule');
      const total = await countDetections(pool);
      const visits = await rebuildVisits(pool, directory, {
        wanted: parameters,
        report: (progress) => {
          const { detections: processed, visits: generated } = progress;
          return report({ total, processed, generated, failed: 0, skipped: 0, failures: [] });
        },
      });
      notifier.notify({ kind: 'everything' });
      return { visits };
    },
  };
}

/** Returns the maintained count of detections. */
async function countDetections(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(countSql);
  return rows[0]?.count ?? 0;
}
