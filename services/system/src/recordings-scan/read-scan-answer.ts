import { HubError } from '@birdhub/shared/errors';
import type { Job } from '../jobs/job.js';
import type { ScanAnswer } from './recordings-scan.schema.js';

/**
 * What a scan that has ended answers to whom waited for it.
 * @throws HubError job_cancelled, internal
 */
export function readScanAnswer({ state, result }: Job): ScanAnswer {
  if (state === 'cancelled') throw new HubError('job_cancelled');
  if (state !== 'done' || !result || !('imported' in result)) throw new HubError('internal');
  return result;
}
