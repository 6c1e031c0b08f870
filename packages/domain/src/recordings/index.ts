export { FileRemover } from './file-remover.js';
export {
  maxAheadMs,
  maxReachMs,
  maxReachSql,
  maxRecordingMs,
  maxRecordingSql,
  minRecordingStart,
  slackSeconds,
} from './limits.js';
export type { FileState, NewTrack, SavedFileStates, UnreadableFile } from './media.js';
export { NothingToStoreError, type PostOptions, type PostResult } from './post.js';
export { createNaming } from './posted-detections.js';
export type {
  Author,
  Frame,
  PostedDetection,
  PostedRecording,
} from './recording.js';
export { isOfDemoSql, isOwnVisitSql, ownVisitsSql } from './recordings.store.js';
export type { Purge, PurgeResult } from './removals.js';
export { type CorrectionScope, correctionScopes } from './reviews.store.js';
export { RecordingWriter, type RecordingWriterDeps } from './writer.js';
