export { checkVideoPath, pathInRecordings, recordingFile } from './recording-path.js';
