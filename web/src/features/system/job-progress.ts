import type { components } from '../../api/schema';

type Progress = Pick<components['schemas']['Job'], 'progress'>;

/** Part of a job that is done, from 0 to 100; unknown until the job knows how much there is. */
export function percentDone({ progress: { processed, total } }: Progress): number | undefined {
  return total > 0 ? Math.min(100, Math.round((processed / total) * 100)) : undefined;
}
