export {
  type BestView,
  type Box,
  chooseFrame,
  type FramedDetection,
  showsWholePicture,
  visibleArea,
  withinPicture,
} from './boxes.js';
export { type ClipContent, type MediaFacts, readClip } from './clip-reader.js';
export {
  type CropKey,
  cropFile,
  cropName,
  derivedFolder,
  findStoredCrop,
  listStoredCrops,
  posterFile,
  readCrop,
  removeDerived,
  removeSizedPosters,
  storeCrop,
} from './derived-files.js';
export { createFrameReader, type FrameReader, type FrameTools, type SideOutput } from './frame-reader.js';
export {
  cleanPhoto,
  decodePhotoFile,
  inspectPhoto,
  type PhotoFacts,
  type PhotoTime,
  UnusablePhotoError,
} from './photos.js';
export {
  listUnmeasured,
  measurePicture,
  type PictureFacts,
  storePictureFacts,
} from './picture-facts.js';
export { createPictureRequests, type PictureOutcome, type PictureRequests } from './picture-requests.js';
export { cutPicture, encodePicture, type Picture, shrinkPicture } from './pictures.js';
export {
  type FileRemoved,
  hasMediaFile,
  type MediaFile,
  openMediaFile,
  removeRecordingFile,
  statMediaFile,
} from './recording-files.js';
export {
  allContentTypes,
  anyCameraSql,
  canonicalVideoPath,
  checkPathInRecordings,
  checkPostedPath,
  checkVideoPath,
  contentTypeOf,
  fileInRecordings,
  folderOf,
  folderSql,
  isAudioSql,
  isForeignRecordingPath,
  isRecordingPath,
  type MediaKind,
  mediaKindOf,
  mediaKindSql,
  mediaKinds,
  namesFile,
  pathInRecordings,
  recordingExtensions,
  recordingFile,
  sourceVideoPath,
  videoPathOf,
} from './recording-path.js';
export {
  isProgramMissing,
  restrictedInput,
  runTool,
  ToolTimeoutError,
  type ToolWork,
  toolInput,
} from './run-tool.js';
export {
  createSizedPictures,
  type OriginalPicture,
  type PictureWidth,
  type SizedPictures,
  widthParameter,
} from './sized-pictures.js';
export {
  drawSoundPicture,
  drawSpectrum,
  maxDrawnSeconds,
  maxKilohertz,
  type SoundSpan,
} from './sound-picture.js';
export { addScale, readScale } from './spectrogram-scale.js';
