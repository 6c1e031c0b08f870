import { setTimeout as pause } from 'node:timers/promises';
import { chooseOwnPictures } from '@birdhub/domain/species';
import { createLoop, type Loop } from '@birdhub/shared/async';
import { type ChangeNotifier, lockNames, type PrismaClient, withAdvisoryLock } from '@birdhub/shared/db';
import { type Clock, dayMs, hourMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExternalApis } from '../external/external-apis.js';
import { ExternalServiceError } from '../external/external-service.js';
import { type DescriptionLanguage, descriptionLanguages, translateAddress } from './description-language.js';
import {
  findWanted,
  findWantedTranslation,
  saveFailure,
  saveInfo,
  saveTranslation,
  saveTranslationFailure,
  type WantedSpecies,
  type WantedTranslation,
} from './species-knowledge.store.js';
import { fetchSummary, type PageSummary } from './wikipedia.js';

const firstAfterMs = 10_000;
const everyMs = 60_000;
const retryMs = 600_000;
const spacingMs = 1_000;

/** Dependencies of the watch. */
export type KnowledgeWatchDeps = Omit<LearnSpeciesDeps, 'spacingMs'>;

/** Creates the watch. Any number of processes may run it; only one sends requests at a time, at most one per second. */
export function createKnowledgeWatch(deps: KnowledgeWatchDeps): Pick<Loop, 'start' | 'stop'> {
  const { log } = deps;
  return createLoop({
    firstAfterMs,
    everyMs,
    retryMs,
    async work(signal) {
      const outcome = await learnSpecies({ ...deps, spacingMs }, signal);
      return outcome === 'failed' ? retryMs : everyMs;
    },
    onError: (error) => log.warn({ err: error }, 'species not looked up, retrying later'),
  });
}

/** Creates a watch that uses the hub's best crops as pictures of species until the encyclopedia has one. */
export function createPicturesWatch(
  deps: Pick<LearnSpeciesDeps, 'pool' | 'notifier' | 'log'>,
): Pick<Loop, 'start' | 'stop'> {
  const { pool, notifier, log } = deps;
  return createLoop({
    firstAfterMs,
    everyMs,
    work: () => chooseOwnPictures(pool, notifier),
    onError: (error) => log.warn({ err: error }, 'pictures of species not chosen, retrying later'),
  });
}

/** Dependencies of {@link learnSpecies}. */
export interface LearnSpeciesDeps {
  readonly pool: pg.Pool;
  readonly prisma: PrismaClient;
  readonly externalApis: Pick<ExternalApis, 'urls' | 'services'>;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** Delay between two requests, in ms. */
  readonly spacingMs: number;
}

/**
 * The outcome of a pass: nothing is left to look up, another process is running one, or the encyclopedia is
 * unreachable.
 */
export type PassOutcome = 'done' | 'elsewhere' | 'failed';

const foundMs = 90 * dayMs;
const missingMs = 30 * dayMs;

async function findSummary(
  { externalApis, spacingMs }: LearnSpeciesDeps,
  { names }: WantedSpecies,
  signal: AbortSignal,
): Promise<PageSummary | undefined> {
  for (const name of new Set(names)) {
    const summary = await fetchSummary(externalApis, externalApis.urls.wikipediaApiUrl, name);
    await pause(spacingMs, undefined, { signal });
    if (summary) return summary;
  }
  return undefined;
}

async function lookUp(deps: LearnSpeciesDeps, species: WantedSpecies, signal: AbortSignal): Promise<boolean> {
  const { pool, notifier, clock, log } = deps;
  try {
    const summary = await findSummary(deps, species, signal);
    const now = clock.now();
    const fetchAgainAt = now + (summary ? foundMs : missingMs);
    const isChanged = await saveInfo(pool, species.id, summary, { now, fetchAgainAt });
    if (isChanged) notifier.notify({ kind: 'species' });
    return true;
  } catch (error) {
    if (!(error instanceof ExternalServiceError)) throw error;
    log.debug({ err: error, species_id: species.id }, 'species description not fetched');
    const now = clock.now();
    await saveFailure(pool, species.id, { now, fetchAgainAt: now + hourMs });
    return false;
  }
}

async function translate(
  { prisma, externalApis, notifier, clock, log, spacingMs }: LearnSpeciesDeps,
  wanted: WantedTranslation,
  signal: AbortSignal,
): Promise<boolean> {
  const address = translateAddress(externalApis.urls.wikipediaApiUrl, wanted.language);
  if (address === undefined) throw new Error(`no encyclopedia is known for the language ${wanted.language}`);
  try {
    const summary = await fetchSummary(externalApis, address, wanted.scientificName);
    await pause(spacingMs, undefined, { signal });
    const now = clock.now();
    await saveTranslation(prisma, wanted, summary, {
      now,
      fetchAgainAt: now + (summary ? foundMs : missingMs),
    });
    if (summary) notifier.notify({ kind: 'species' });
    return true;
  } catch (error) {
    if (!(error instanceof ExternalServiceError)) throw error;
    log.debug(
      { err: error, species_id: wanted.id, language: wanted.language },
      'species description not fetched',
    );
    const now = clock.now();
    await saveTranslationFailure(prisma, wanted, { now, fetchAgainAt: now + hourMs });
    return false;
  }
}

/** Returns the languages other than English that have their own encyclopedia. */
function otherLanguages({ externalApis }: LearnSpeciesDeps): readonly DescriptionLanguage[] {
  const english = externalApis.urls.wikipediaApiUrl;
  return descriptionLanguages.filter(
    (language) => language !== 'en' && translateAddress(english, language) !== undefined,
  );
}

/** Looks up English first, as it provides pictures and default texts. */
async function lookUpNext(deps: LearnSpeciesDeps, signal: AbortSignal): Promise<PassOutcome | undefined> {
  const { pool, clock } = deps;
  const species = await findWanted(pool, clock.now());
  if (species) return (await lookUp(deps, species, signal)) ? undefined : 'failed';
  const wanted = await findWantedTranslation(pool, otherLanguages(deps), clock.now());
  if (!wanted) return 'done';
  return (await translate(deps, wanted, signal)) ? undefined : 'failed';
}

async function lookUpAll(deps: LearnSpeciesDeps, signal: AbortSignal): Promise<PassOutcome> {
  while (!signal.aborted) {
    const outcome = await lookUpNext(deps, signal);
    if (outcome) return outcome;
  }
  return 'done';
}

/**
 * Looks up all unknown species until the signal aborts. Only one process of the hub does so at a time, to limit the
 * total request rate.
 */
export async function learnSpecies(deps: LearnSpeciesDeps, signal: AbortSignal): Promise<PassOutcome> {
  const pass = await withAdvisoryLock(deps.pool, lockNames.speciesKnowledge, () => lookUpAll(deps, signal));
  return pass?.result ?? 'elsewhere';
}
