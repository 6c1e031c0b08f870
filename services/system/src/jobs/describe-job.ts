import type { Job } from './job.js';
import type { JobStatus, ListedJob } from './jobs.schema.js';

const processedBy = ({ generated, failed, skipped }: Job) => generated + failed + skipped;

const countsOf = (job: Job) => {
  const { kind, generated, failed, skipped, framesUpdated } = job;
  return { generated, failed, skipped, ...(kind === 'tracks' && { frames_updated: framesUpdated }) };
};

/** Recordings that came while it ran are part of a job too. */
function progressOf(job: Job) {
  const { generated, failed, skipped, currentVideoId } = job;
  const processed = processedBy(job);
  const total = Math.max(job.total, processed);
  return { processed, total, generated, failed, skipped, current_video_id: currentVideoId };
}

const errorOf = ({ state, error }: Job) => (state === 'cancelled' ? 'The job was cancelled.' : error);
const at = (instant: Date | null) => instant?.toISOString() ?? null;

/** How the newest job of a kind does, as front ends of this field read it: one that was cancelled ended by an error. */
export function describeJob(job: Job | undefined): JobStatus {
  if (!job) {
    const nothing = { result: null, error: null, progress: null, started_at: null, finished_at: null };
    return { status: 'idle', ...nothing };
  }
  const { state } = job;
  const isRunning = state === 'running';
  return {
    status: state === 'cancelled' ? 'error' : state,
    result: isRunning ? null : countsOf(job),
    error: errorOf(job),
    progress: isRunning ? progressOf(job) : null,
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}

/** A job among others, with what it could do nothing with. */
export function listJob(job: Job): ListedJob {
  const { force, from, to, videoIds } = job.parameters;
  return {
    job_id: job.id,
    kind: job.kind,
    state: job.state,
    parameters: { force, from, to, video_ids: videoIds && [...videoIds] },
    progress: progressOf(job),
    failures: [...job.failures],
    error: errorOf(job),
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}
