export {
  describeJob,
  failureOf,
  type ImportParameters,
  type ImportResult,
  type ItemJobKind,
  type ItemResult,
  type Job,
  JobFailedError,
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
export {
  type JobFailure,
  type JobProblem,
  jobProblem,
  jobProblems,
  toJobFailure,
} from './job-problems.js';
export { type Jobs, startJobs } from './job-runner.js';
export { findLatest, findRunning, listJobs, maxFailures } from './jobs.store.js';
