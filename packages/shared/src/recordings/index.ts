export type { Correction, CorrectionResult } from './correct-detection.js';
export { type CorrectionScope, correctionScopes } from './corrections.store.js';
export type { PostResult } from './post-recording.js';
export type { Frame, PostedDetection, PostedRecording } from './recording-types.js';
export type { RemovalResult } from './remove-recording.js';
export { createRecordingWriter, type RecordingWriter, type WriterDependencies } from './writer.js';
