import { chooseOwnPictures } from '@birdhub/domain/species';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { type Learning, learnSpecies } from './learn-species.js';

const firstAfterMs = 10_000;
const everyMs = 60_000;
const retryMs = 600_000;
const spacingMs = 1_000;

/** What the watch works with. */
export type WatchedKnowledge = Omit<Learning, 'spacingMs'>;

/** Any number of processes may watch; one of them asks at a time, at most once a second. */
export function createKnowledgeWatch(options: WatchedKnowledge): Pick<Loop, 'start' | 'stop'> {
  const { pool, bell, log } = options;
  return createLoop({
    firstAfterMs,
    everyMs,
    retryMs,
    async work(signal) {
      const outcome = await learnSpecies({ ...options, spacingMs }, signal);
      if (await chooseOwnPictures(pool)) bell.ring({ kind: 'species' });
      return outcome === 'failed' ? retryMs : everyMs;
    },
    onError: (error) => log.warn({ err: error }, 'species not looked up, trying again later'),
  });
}
