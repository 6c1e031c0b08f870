import { lastDays, planDay } from '@birdhub/demo/plan';
import pLimit from 'p-limit';
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
    const limit = pLimit(maxConcurrentPosts);
    await limit.map(ended, async (recording) => {
      try {
        signal.throwIfAborted();
        await deliver(processor, recording);
      } catch (error) {
        limit.clearQueue();
        throw error;
      }
    });
    say(`${date}: ${ended.length} recordings`);
  }
}
