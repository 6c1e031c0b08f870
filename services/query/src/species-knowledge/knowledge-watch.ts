import { setTimeout as pause } from 'node:timers/promises';
import { type Learning, learnSpecies, type PassOutcome } from './learn-species.js';
import { chooseOwnPictures } from './own-pictures.store.js';

/** Looks species up in the background, for as long as the service runs. */
export interface KnowledgeWatch {
  start(): void;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

const firstPauseMs = 10_000;
const pauses: Record<PassOutcome, number> = { done: 60_000, elsewhere: 60_000, failed: 600_000 };
const spacingMs = 1_000;

/** What the watch works with; `basePath` is the path below which the hub answers. */
export type WatchedKnowledge = Omit<Learning, 'spacingMs'> & { readonly basePath: string };

/** Any number of processes may watch; one of them asks at a time, at most once a second. */
export function createKnowledgeWatch(options: WatchedKnowledge): KnowledgeWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();

  async function look(): Promise<PassOutcome> {
    try {
      const outcome = await learnSpecies({ ...options, spacingMs }, signal);
      const { pool, basePath, bell } = options;
      if (await chooseOwnPictures(pool, basePath)) bell.ring({ kind: 'species' });
      return outcome;
    } catch (error) {
      if (!signal.aborted) options.log.warn({ err: error }, 'species not looked up, trying again later');
      return 'failed';
    }
  }

  async function run(): Promise<void> {
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) pauseMs = pauses[await look()];
    }
  }

  return {
    start() {
      running = run();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
