import { lastDays, planDay } from '@birdhub/demo/plan';
import { eachAtOnce } from './each-at-once.js';
import { deliver, type Processor } from './processor.js';

const maxConcurrentPosts = 4;

/**
 * Posts the recordings of the last days up to now, newest first, so that the pictures of today are created first. Running
 * it again posts the same recordings.
 */
export async function backfill(processor: Processor, days: number): Promise<void> {
  const { plan, now, say, signal } = processor;
  const until = now();
  for (const date of lastDays(plan.zone, until, days)) {
    const ended = planDay(date, plan)
      .filter((recording) => recording.endAt <= until)
      .toReversed();
    await eachAtOnce(ended, maxConcurrentPosts, async (recording) => {
      signal.throwIfAborted();
      await deliver(processor, recording);
    });
    say(`${date}: ${ended.length} recordings`);
  }
}
