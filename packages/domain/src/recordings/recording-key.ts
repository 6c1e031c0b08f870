import { createHash } from 'node:crypto';
import type { PostedRecording } from './recording-types.js';

/** The number by which writers lock a recording; two with the same number wait for each other, no more. */
export function recordingLock(cameraId: string, videoPath: string): number {
  return createHash('sha1').update(`${cameraId}\0${videoPath}`).digest().readInt32BE(0);
}

/** A digest of all that a post says, its detections given as JSON, so that the same post again changes nothing. */
export function contentHash(recording: PostedRecording, detectionsJson: string): Buffer {
  const { processorVersion, start, end, spectrogramPath, triggerSource, extra } = recording;
  const head = JSON.stringify({ processorVersion, start, end, spectrogramPath, triggerSource, extra });
  return createHash('sha1').update(head).update(detectionsJson).digest();
}
