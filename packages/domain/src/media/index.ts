export {
  type BestView,
  type Box,
  chooseFrame,
  type Seen,
  visibleArea,
  withinPicture,
} from './choose-frame.js';
export { type ClipContent, type MediaFacts, parseListing, readClip } from './clip-reader.js';
export { cutPicture, shrinkPicture } from './cut-picture.js';
export type { SideOutput } from './decode-packets.js';
export { derivedFolder, removeDerived } from './derived-files.js';
export { createFrameReader, type FrameReader, type FrameTools } from './frame-reader.js';
export { type CropKey, cropName, findKeptCrop, keepCrop, listKeptCrops, readCrop } from './kept-crops.js';
export { confined, type ToolWork } from './list-packets.js';
export {
  hasMediaFile,
  type MediaFile,
  openMediaFile,
  statMediaFile,
} from './open-media-file.js';
export { createPictureRequests, type PictureOutcome, type PictureRequests } from './picture-requests.js';
export type { Picture } from './picture-stream.js';
export { posterFile } from './poster-file.js';
export {
  canonicalVideoPath,
  checkPathInRecordings,
  checkVideoPath,
  namesFile,
  pathInRecordings,
  recordingFile,
  videoPathOf,
} from './recording-path.js';
export { type FileRemoved, removeRecordingFile } from './remove-recording-file.js';
export { isProgramMissing, runTool, ToolTimeoutError, toolInput } from './run-tool.js';
