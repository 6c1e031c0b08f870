import type { RecordingResponse } from '@birdhub/testing/processor-client/processor-wire';

/** Counts of what a run has posted so far. */
export interface Tally {
  recordings: number;
  created: number;
  detections: number;
}

export function emptyTally(): Tally {
  return { recordings: 0, created: 0, detections: 0 };
}

/** Counts a post by its response. */
export function count(tally: Tally, response: RecordingResponse, detections: number): void {
  tally.recordings += 1;
  tally.created += response.created ? 1 : 0;
  tally.detections += detections;
}

/** Returns, for example, "12 recordings (2 known before) with 20 detections". */
export function describeTally({ recordings, created, detections }: Tally): string {
  const known = recordings - created;
  const before = known === 0 ? '' : ` (${known} known before)`;
  return `${recordings} recordings${before} with ${detections} detections`;
}
