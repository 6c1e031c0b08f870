export {
  describeJob,
  type ImportParameters,
  type ImportResult,
  type ItemJobKind,
  type ItemResult,
  type Job,
  JobFailedError,
  type JobFailure,
  type JobName,
  type JobProgress,
  jobNames,
  jobStates,
  type RecordingFilter,
  type TaskJobKind,
  type TaskRun,
  toListedJob,
} from './job.js';
export { createJobMetrics } from './job-metrics.js';
export { type Jobs, startJobs } from './job-runner.js';
export { findLatest, findRunning, listJobs, maxFailures } from './jobs.store.js';
