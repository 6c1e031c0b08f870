export { authorOf } from './author-of.js';
export { createFileRemover, type FileRemover } from './file-remover.js';
export type { MediaNote, NotedMedia } from './note-media.js';
export type { PostResult } from './post-recording.js';
export type { Purge, PurgeResult } from './purge-recordings.js';
export type { Author, Frame, PostedDetection, PostedRecording } from './recording-types.js';
export type { NewTrack } from './replace-tracks.js';
export { correctionScopes } from './reviews.store.js';
export { createRecordingWriter, type RecordingWriter, type WriterDependencies } from './writer.js';
