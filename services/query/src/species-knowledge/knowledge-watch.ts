import { setTimeout as pause } from 'node:timers/promises';
import { type Learning, learnSpecies, type PassOutcome } from './learn-species.js';

/** Looks species up in the background, for as long as the service runs. */
export interface KnowledgeWatch {
  start(): void;
  /** Resolves when nothing is under way. */
  stop(): Promise<void>;
}

const firstPauseMs = 10_000;
const pauses: Record<PassOutcome, number> = { done: 60_000, elsewhere: 60_000, failed: 600_000 };
const spacingMs = 1_000;

/** Any number of processes may watch; one of them asks at a time, at most once a second. */
export function createKnowledgeWatch(options: Omit<Learning, 'spacingMs'>): KnowledgeWatch {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();

  async function look(): Promise<PassOutcome> {
    try {
      return await learnSpecies({ ...options, spacingMs }, signal);
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
