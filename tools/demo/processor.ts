import { join } from 'node:path';
import { placeClip, prepareClip } from '@birdhub/demo/clips';
import { type PlannedRecording, type PlanOptions, withTracks } from '@birdhub/demo/plan';
import type { ProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { recordingBody } from './recording-body.js';
import { count, type Tally } from './tally.js';

/** Dependencies that the parts of a run share. */
export interface Processor {
  client: ProcessorClient;
  plan: PlanOptions;
  recordingsDir: string;
  cacheDir: string;
  tally: Tally;
  now: () => number;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Creates the clip, writes it to the recordings folder and posts it, like a processor at the end of a recording. */
export async function deliver(processor: Processor, recording: PlannedRecording): Promise<void> {
  const { client, recordingsDir, cacheDir, tally, signal } = processor;
  await prepareClip(cacheDir, recording.clip, { ffmpegPath: 'ffmpeg', signal });
  await placeClip(cacheDir, recording.clip, join(recordingsDir, recording.videoPath));
  const response = await client.postRecording(recordingBody(await withTracks(recording)));
  count(tally, response, recording.detections.length);
}
