import type { SettingsReader } from '@birdhub/domain/settings';
import { type Checklist, type ChecklistRow, listChecklists, loadChecklist } from '@birdhub/domain/species';
import { createLoop } from '@birdhub/shared/async';
import { type ChangeNotifier, lockNames, withAdvisoryLock } from '@birdhub/shared/db';
import { type Clock, hourMs } from '@birdhub/shared/time';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { ExternalApis } from '../external/external-apis.js';
import { ExternalServiceError, fieldsOf, requestUrl, textOrNull } from '../external/external-service.js';
import { descriptionLanguages } from '../species-knowledge/description-language.js';

/** Dependencies for loading the taxonomy. */
export interface TaxonomyDeps {
  readonly pool: pg.Pool;
  readonly settings: Pick<SettingsReader, 'current' | 'watch'>;
  readonly externalApis: Pick<ExternalApis, 'urls' | 'services'>;
  readonly notifier: Pick<ChangeNotifier, 'notify'>;
  readonly clock: Clock;
  readonly log: Logger;
}

const yearMs = 365 * 24 * hourMs;

/** Creates a watch that loads the taxonomy of eBird when there is an API key, and again each year. */
export function createTaxonomyWatch(deps: TaxonomyDeps): { start(): void; stop(): Promise<void> } {
  const { settings, log } = deps;
  const loop = createLoop({
    everyMs: 24 * hourMs,
    retryMs: hourMs,
    async work() {
      const { ebird_api_key: key } = (await settings.current()).secrets;
      if (key) await updateTaxonomy(deps, key);
    },
    onError: (error) => log.warn({ err: error }, 'eBird taxonomy not loaded, retrying'),
  });
  let stopWatching = () => {};
  return {
    start() {
      stopWatching = settings.watch(() => loop.wake(), ['secrets']);
    },
    async stop() {
      stopWatching();
      await loop.stop();
    },
  };
}

/**
 * Fetches the taxonomy in all languages of the UI when none is loaded, a language is missing or it is a year old; one
 * process at a time. Returns whether it changed.
 */
export async function updateTaxonomy(deps: Omit<TaxonomyDeps, 'settings'>, key: string): Promise<boolean> {
  const { pool, clock, notifier } = deps;
  const isCurrent = async () => {
    const loaded = (await listChecklists(pool)).find(({ source }) => source === 'ebird');
    if (!loaded || clock.now() - loaded.loadedAt.getTime() >= yearMs) return false;
    return descriptionLanguages.every((language) => loaded.languages.includes(language));
  };
  if (await isCurrent()) return false;
  const done = await withAdvisoryLock(pool, lockNames.ebirdTaxonomy, async (lost) => {
    if (await isCurrent()) return false;
    const checklist = await fetchTaxonomy(deps, key);
    lost.throwIfAborted();
    return loadChecklist(pool, checklist, { isFresh: true });
  });
  if (done?.result) notifier.notify({ kind: 'species' });
  return done?.result ?? false;
}

/** English is required; if another language fails, its loaded names are kept. */
async function fetchTaxonomy(deps: Omit<TaxonomyDeps, 'settings'>, key: string): Promise<Checklist> {
  const { log, pool } = deps;
  const rows = new Map<string, ChecklistRow>();
  for (const entry of await fetchSpecies(deps, key, 'en')) addEntry(rows, entry, 'en');
  if (!rows.size) throw new ExternalServiceError('ebird returned no species');
  for (const language of descriptionLanguages) {
    if (language === 'en') continue;
    try {
      for (const entry of await fetchSpecies(deps, key, language)) addEntry(rows, entry, language);
    } catch (error) {
      if (!(error instanceof ExternalServiceError)) throw error;
      log.warn(
        { err: error, language },
        'eBird names of one language not loaded, continuing with the others',
      );
      for (const entry of await listNames(pool, language)) addEntry(rows, entry, language);
    }
  }
  return { source: 'ebird', rows: [...rows.values()] };
}

async function fetchSpecies(
  { externalApis }: Pick<TaxonomyDeps, 'externalApis'>,
  key: string,
  locale: string,
): Promise<unknown[]> {
  const url = requestUrl(externalApis.urls.ebirdApiUrl, '/ref/taxonomy/ebird', {
    fmt: 'json',
    cat: 'species',
    locale,
  });
  const response = await externalApis.services['ebird-taxonomy'].getJson({
    url,
    headers: { 'x-ebirdapitoken': key },
  });
  if (!Array.isArray(response)) throw new ExternalServiceError('ebird returned no list of species');
  return response;
}

/** Lists the loaded names of a language in the format of eBird. */
async function listNames(pool: pg.Pool, language: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `SELECT scientific_name AS "sciName", name ->> 'name' AS "comName"
     FROM checklist_species, jsonb_array_elements(names) AS name
     WHERE source = 'ebird' AND name ->> 'language' = $1`,
    [language],
  );
  return rows;
}

const maxNameLength = 200;

/** Adds a species, or its name in a further language, unless eBird just repeats the English one. */
function addEntry(rows: Map<string, ChecklistRow>, entry: unknown, language: string): void {
  const fields = fieldsOf(entry);
  const read = (field: string) => textOrNull(fields[field])?.slice(0, maxNameLength) ?? null;
  const [scientificName, name] = [read('sciName'), read('comName')];
  if (!scientificName || !name) return;
  const known = rows.get(scientificName);
  if (!known && language !== 'en') return;
  const names = known?.names ?? [];
  if (names.some((other) => other.name === name)) return;
  rows.set(scientificName, {
    scientificName,
    names: [...names, { name, language, authority: 'ebird' }],
    ebirdCode: known?.ebirdCode ?? read('speciesCode'),
    order: known?.order ?? read('order'),
    family: known?.family ?? read('familySciName'),
    familyName: known?.familyName ?? read('familyComName'),
    status: null,
  });
}
