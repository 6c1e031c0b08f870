import type { Job } from './job.js';
import type { JobStatus, ListedJob } from './jobs.schema.js';

function resultOf(job: Job): JobStatus['result'] {
  const { kind, generated, failed, skipped, framesUpdated, result } = job;
  const frames = kind === 'tracks' && { frames_updated: framesUpdated };
  return { generated, failed, skipped, ...frames, ...result };
}

/** Recordings posted while a job runs are part of it, so more may be processed than were counted at its start. */
function progressOf(job: Job) {
  const { processed, generated, failed, skipped, currentVideoId } = job;
  const total = Math.max(job.total, processed);
  return { processed, total, generated, failed, skipped, current_video_id: currentVideoId };
}

function parametersOf({ parameters }: Job): ListedJob['parameters'] {
  if ('gapMs' in parameters) return { gap_seconds: parameters.gapMs / 1000, timezone: parameters.timezone };
  if ('background' in parameters) return parameters;
  const { force, from, to, videoIds } = parameters;
  return { force, from, to, video_ids: videoIds && [...videoIds] };
}

const errorOf = ({ state, error }: Job) => (state === 'cancelled' ? 'The job was cancelled.' : error);
const at = (instant: Date | null) => instant?.toISOString() ?? null;

/** Returns the status of the newest job of a kind in the wire form; a cancelled job has status `error`. */
export function describeJob(job: Job | undefined): JobStatus {
  if (!job) {
    const nothing = { result: null, error: null, progress: null, started_at: null, finished_at: null };
    return { status: 'idle', ...nothing };
  }
  const { state } = job;
  const isRunning = state === 'running';
  return {
    status: state === 'cancelled' ? 'error' : state,
    result: isRunning ? null : resultOf(job),
    error: errorOf(job),
    progress: isRunning ? progressOf(job) : null,
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}

/** Returns the wire form of a job in a list. */
export function toListedJob(job: Job): ListedJob {
  const { id, kind, state, failures } = job;
  return {
    job_id: id,
    kind,
    state,
    parameters: parametersOf(job),
    progress: progressOf(job),
    result: state === 'running' ? null : resultOf(job),
    failures: failures.map(({ video_id = null, path = null, reason }) => ({ video_id, path, reason })),
    error: errorOf(job),
    started_at: job.startedAt.toISOString(),
    finished_at: at(job.finishedAt),
  };
}
