export { bytesPerGb, freeFloor, type ReadFreeBytes, readFreeBytesOf } from './free-space.js';
export { isStorageExhausted, noteStorageState } from './storage-state.store.js';
