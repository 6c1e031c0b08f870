import { createHash } from 'node:crypto';
import type { PostedRecording, ResolvedDetection } from './recording-types.js';

/** The number by which writers lock a recording; two with the same number wait for each other, no more. */
export function recordingLock(cameraId: string, videoPath: string): number {
  return createHash('sha1').update(`${cameraId}\0${videoPath}`).digest().readInt32BE(0);
}

/** A digest of all that a post says, so that the same post again changes nothing. */
export function contentHash(recording: PostedRecording, detections: readonly ResolvedDetection[]): Buffer {
  const { processorVersion, start, end, spectrogramPath, triggerSource, extra } = recording;
  const head = { processorVersion, start, end, spectrogramPath, triggerSource, extra };
  return createHash('sha1')
    .update(JSON.stringify([head, detections]))
    .digest();
}
