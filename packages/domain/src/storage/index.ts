export { bytesPerGb, minFreeBytes, type ReadFreeBytes, readFreeBytesOf } from './free-space.js';
export { hasKnownFiles, requireKnownFiles } from './known-files.js';
export { type FoundVideo, findComplete, type Unreadable, walkTree } from './recordings-tree.js';
export { isStorageExhausted, noteStorageState } from './storage-state.js';
export {
  expectedBytes,
  forgetPostedUploads,
  freshUploadMs,
  maxWaitingBytes,
  readWaitingUploads,
  recordUpload,
  removeWaitingUploads,
  renewUpload,
  type UploadedFile,
  type WaitingUploads,
  waitingUploadSql,
} from './uploaded-files.js';
