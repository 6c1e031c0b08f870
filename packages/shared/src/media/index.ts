export { checkVideoPath, pathInRecordings, recordingFile } from './recording-path.js';
export { type FileRemoved, removeRecordingFile } from './remove-recording-file.js';
