export { derivedFolder, removeDerived } from './derived-files.js';
export { createFrameReader, type FrameReader, type FrameTools } from './frame-reader.js';

export { confined, type ToolWork } from './list-packets.js';
export {
  hasMediaFile,
  type MediaFile,
  openMediaFile,
  statMediaFile,
} from './open-media-file.js';

export type { Picture } from './picture-stream.js';
export { posterFile } from './poster-file.js';
export { checkVideoPath, pathInRecordings, recordingFile } from './recording-path.js';
export { type FileRemoved, removeRecordingFile } from './remove-recording-file.js';
export { isProgramMissing, runTool, ToolTimeoutError, toolInput } from './run-tool.js';
