import { join } from 'node:path';
import type { ProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { placeClip } from './clip-store.js';
import type { PlanOptions } from './plan-day.js';
import { type PlannedRecording, recordingBody } from './plan-recording.js';
import { count, type Tally } from './tally.js';

/** What the parts of a run share. */
export type Processor = {
  client: ProcessorClient;
  plan: PlanOptions;
  recordingsDir: string;
  cacheDir: string;
  tally: Tally;
  now: () => number;
  say: (line: string) => void;
  signal: AbortSignal;
};

/** Writes the file into the recordings tree, then posts it, as a processor does when a recording has ended. */
export async function deliver(processor: Processor, recording: PlannedRecording): Promise<void> {
  const { client, recordingsDir, cacheDir, tally } = processor;
  await placeClip(cacheDir, recording.clip, join(recordingsDir, recording.videoPath));
  const answer = await client.postRecording(recordingBody(recording));
  count(tally, answer, recording.detections.length);
}
