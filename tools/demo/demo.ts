import { findPhotographs } from '@birdhub/demo/birds';
import { birdListOf, placeFittingZone } from '@birdhub/demo/plan';
import { hourMs, localDay, offsetMs } from '@birdhub/shared/time';
import { createProcessorClient } from '@birdhub/testing/processor-client/processor-client';
import { backfill } from './backfill.js';
import { keepAlive } from './keep-alive.js';
import { playLive } from './live.js';
import type { DemoOptions } from './options.js';
import type { Processor } from './processor.js';
import { describeTally, emptyTally } from './tally.js';

/** The instant of the offset that is used all year, so that clock changes do not move the sun. */
const offsetInstant = Date.UTC(2026, 0, 1);

/** Clock, output and abort signal of a run. */
export interface DemoRun {
  now: () => number;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Runs a simulated processor, from the first heartbeat to the summary. */
export async function runDemo(options: DemoOptions, run: DemoRun): Promise<void> {
  const processor = processorOf(options, run);
  const { client, plan, tally } = processor;
  const birds = [...plan.list.birds.map(({ name }) => name), plan.list.owl];
  await client.putActiveSpecies(birds);
  run.say(`The hub at ${options.hub} answers. ${birds.length} species are active now.`);
  const ended = new AbortController();
  const alive = keepAlive(processor, AbortSignal.any([ended.signal, run.signal]));
  try {
    run.say(`Clips are made in ${options.cacheDir}.`);
    if (options.days > 0) await backfill(processor, options.days);
    if (options.rate !== undefined) {
      run.say(`Live: about ${options.rate} recordings a minute. Ctrl-C ends it.`);
      await playLive(processor, options.rate);
    }
  } finally {
    ended.abort();
    await alive;
  }
  const today = localDay(plan.zone, run.now());
  run.say(`Posted ${describeTally(tally)}. Files are in ${options.recordingsDir}.`);
  run.say(`See them: ${options.hub}/timeline or ${options.hub}/api/ui/timeline?date=${today}`);
}

function processorOf(options: DemoOptions, run: DemoRun): Processor {
  const { hub, token, recordingsDir, cacheDir, region, seed, zone, perDay } = options;
  const place = placeFittingZone(options.place, offsetMs(zone, offsetInstant) / hourMs);
  return {
    client: createProcessorClient({
      baseUrl: hub,
      signal: run.signal,
      startedAt: new Date(run.now()),
      ...(token === undefined ? {} : { token }),
    }),
    plan: {
      seed,
      list: birdListOf(region, findPhotographs()),
      place,
      zone,
      ...(perDay && { perDay: [perDay, perDay] as const }),
    },
    recordingsDir,
    cacheDir,
    tally: emptyTally(),
    ...run,
  };
}
