import { setTimeout as wait } from 'node:timers/promises';
import {
  lightAt,
  type PlannedRecording,
  type PlanOptions,
  planVisit,
  recordingAt,
  seasonOf,
  sunOf,
  type VisitRecording,
} from '@birdhub/demo/plan';
import { between, type Random, seededRandom } from '@birdhub/demo/random';
import { errorMessage } from '@birdhub/shared/errors';
import { localDay } from '@birdhub/shared/time';
import { ProcessorResponseError } from '@birdhub/testing/processor-client/processor-error';
import { deliver, type Processor } from './processor.js';

/**
 * Creates recordings that end now, at a rate per minute, until the signal fires. During an outage of the hub they are
 * queued.
 */
export async function playLive(processor: Processor, perMinute: number): Promise<void> {
  const { signal, now, plan } = processor;
  const random = seededRandom(`${plan.seed} live ${now()}`);
  const visits = endlessVisits(random, plan, now);
  const folders = new Set<string>();
  const unsent: PlannedRecording[] = [];
  while (!signal.aborted) {
    unsent.push(endingNow(visits.next().value, now(), plan, folders));
    await deliverAll(processor, unsent);
    await pause((60_000 / perMinute) * between(random, 0.5, 1.5), signal);
  }
}

function* endlessVisits(
  random: Random,
  { list, place, zone }: PlanOptions,
  now: () => number,
): Generator<VisitRecording, never> {
  for (;;) {
    const date = localDay(zone, now());
    const light = lightAt(now(), sunOf(date, place));
    // The demo shows birds in the evening too.
    yield* planVisit(random, list, {
      season: seasonOf(date, place),
      light: light === 'night' ? 'dusk' : light,
    });
  }
}

/** Returns a recording that ends now, or earlier if the path of its second is already used. */
function endingNow(
  recording: VisitRecording,
  now: number,
  plan: PlanOptions,
  folders: Set<string>,
): PlannedRecording {
  let at = now - recording.clip.seconds * 1000;
  let planned = recordingAt(recording, at, plan.zone);
  while (folders.has(planned.videoPath)) {
    at -= 1000;
    planned = recordingAt(recording, at, plan.zone);
  }
  folders.add(planned.videoPath);
  return planned;
}

/** Posts the queued recordings, oldest first, until one cannot be delivered. */
async function deliverAll(processor: Processor, unsent: PlannedRecording[]): Promise<void> {
  const { say, signal } = processor;
  for (const recording of [...unsent]) {
    try {
      await announceAndDeliver(processor, recording);
    } catch (error) {
      if (signal.aborted) return;
      const isRefused = error instanceof ProcessorResponseError && error.status < 500;
      say(`${recording.videoPath} ${isRefused ? 'is refused' : 'has to wait'}: ${errorMessage(error)}`);
      if (!isRefused) return;
    }
    unsent.shift();
  }
}

async function announceAndDeliver(processor: Processor, recording: PlannedRecording): Promise<void> {
  const { client, say } = processor;
  const names = [...new Set(recording.detections.map((detection) => detection.speciesName))];
  if (recording.trigger === 'motion') await client.notifyMotion();
  for (const name of names) await client.notifyDetection({ detection: name });
  await deliver(processor, recording);
  say(`${recording.videoPath}: ${names.join(', ') || 'no bird'}`);
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
