export { type Clip, drawParts, nameOf, type Track, tracksOf } from './clip.js';
export { placeClip, prepareClip, prepareClips } from './clip-store.js';
export { FfmpegMissingError, runFfmpeg } from './ffmpeg.js';
export { makeClip } from './make-clip.js';
