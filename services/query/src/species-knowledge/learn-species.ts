import { setTimeout as pause } from 'node:timers/promises';
import { type Bell, runAlone } from '@birdhub/shared/db';
import type { Clock } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { HubOutside } from '../outside/hub-outside.js';
import { OutsideError } from '../outside/outside-error.js';
import { findWanted, saveFailure, saveInfo, type WantedSpecies } from './species-info.store.js';
import { fetchSummary, type PageSummary } from './wikipedia-summary.js';

/** What learning takes. */
export interface Learning {
  readonly pool: pg.Pool;
  readonly outside: Pick<HubOutside, 'urls' | 'services'>;
  readonly bell: Pick<Bell, 'ring'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Between two requests, in ms. */
  readonly spacingMs: number;
}

/** How a pass ended: everything is known, another process is at it, or the encyclopedia does not answer. */
export type PassOutcome = 'done' | 'elsewhere' | 'failed';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const foundMs = 90 * dayMs;
const missingMs = 30 * dayMs;

/** One process of the hub asks at a time, so that the hub keeps to its pace however many there are. */
const learnerLock = 'species-knowledge';

async function findSummary(
  { outside, spacingMs }: Learning,
  { names }: WantedSpecies,
  signal: AbortSignal,
): Promise<PageSummary | undefined> {
  for (const name of new Set(names)) {
    const summary = await fetchSummary(outside, name);
    await pause(spacingMs, undefined, { signal });
    if (summary) return summary;
  }
  return undefined;
}

async function learn(learning: Learning, species: WantedSpecies, signal: AbortSignal): Promise<boolean> {
  const { pool, bell, clock, log } = learning;
  try {
    const summary = await findSummary(learning, species, signal);
    const now = clock.now();
    const askAgainAt = now + (summary ? foundMs : missingMs);
    const isChanged = await saveInfo(pool, species.id, summary, { now, askAgainAt });
    if (isChanged) bell.ring({ kind: 'species' });
    return true;
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    log.debug({ err: error, species_id: species.id }, 'nothing learnt of a species');
    const now = clock.now();
    await saveFailure(pool, species.id, { now, askAgainAt: now + hourMs });
    return false;
  }
}

async function learnAll(learning: Learning, signal: AbortSignal): Promise<PassOutcome> {
  while (!signal.aborted) {
    const species = await findWanted(learning.pool, learning.clock.now());
    if (!species) return 'done';
    if (!(await learn(learning, species, signal))) return 'failed';
  }
  return 'done';
}

/** Asks about every species that nothing is known of, one after the other, until told to stop. */
export async function learnSpecies(learning: Learning, signal: AbortSignal): Promise<PassOutcome> {
  const pass = await runAlone(learning.pool, learnerLock, () => learnAll(learning, signal));
  return pass?.result ?? 'elsewhere';
}
