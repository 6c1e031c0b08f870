import type { Recording } from '../recording/recording-queries';

/** Seconds shown before and after a detection, so that one sees it come and go. */
const marginSeconds = 1;
const leastSeconds = 2;

/** The part of a recording that shows a detection, in seconds from its start. */
export function segmentOf(recording: Recording, detectionId: number): { from: number; to: number } {
  const row = recording.species.find(({ id }) => id === detectionId);
  const from = Math.max(0, (row?.start_time ?? 0) - marginSeconds);
  return { from, to: Math.max(from + leastSeconds, (row?.end_time ?? 0) + marginSeconds) };
}
