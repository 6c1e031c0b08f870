import type { SpeciesDirectory } from '@birdhub/domain/species';
import { rebuildVisits } from '@birdhub/domain/visits';
import type { Bell } from '@birdhub/shared/db';
import type pg from 'pg';
import type { WholeJobKind } from '../jobs/job.js';
import { countDetections } from './count-detections.store.js';

/** What the job works with. */
export interface VisitJobParts {
  readonly pool: pg.Pool;
  readonly directory: SpeciesDirectory;
  readonly bell: Pick<Bell, 'ring'>;
}

/** Makes all visits anew by another rule, all or none of them: one that was cut short has changed nothing. */
export function createVisitJob({ pool, directory, bell }: VisitJobParts): WholeJobKind {
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
      bell.ring({ kind: 'everything' });
      return { visits };
    },
  };
}
