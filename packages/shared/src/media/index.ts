export { derivedFolder, removeDerived } from './derived-files.js';
export { createFrameReader, type FrameReader, type FrameTools } from './frame-reader.js';
export { hasMediaFile, type MediaFile, openMediaFile } from './open-media-file.js';
export type { Picture } from './picture-stream.js';
export { checkVideoPath, pathInRecordings, recordingFile } from './recording-path.js';
export { type FileRemoved, removeRecordingFile } from './remove-recording-file.js';
export { ToolTimeoutError } from './run-tool.js';
