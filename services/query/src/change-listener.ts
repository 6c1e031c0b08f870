import { openSettings, type SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { ChangeHandlers, ChangeListener, Database } from '@birdhub/shared/db';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { Logger } from 'pino';
import { ResponseCache } from './response-cache/response-cache.js';

const megabyte = 1024 * 1024;

/** What change notices keep up to date: the response cache and the settings, and the species directory that was given. */
export interface ListeningCaches {
  readonly cache: ResponseCache;
  readonly settings: SettingsReader;
  readonly listener: ChangeListener;
}

/** What is listened with, and how large the cache may become. */
export interface ListeningCachesDeps {
  readonly database: Database;
  /** The primary database, where change notices are sent. */
  readonly url: string;
  readonly hostZone: string;
  readonly answerCacheMb: number;
  readonly answerBudgetMb: number;
  /** Opens the keys of external services. */
  readonly secrets?: SecretBox;
  readonly directory: Pick<SpeciesDirectory, 'forget'>;
  readonly log: Logger;
}

/** Caches whose entries are invalidated as soon as a process of the hub says that something changed. */
export function openListeningCaches(deps: ListeningCachesDeps): ListeningCaches {
  const { database, answerCacheMb, answerBudgetMb, directory, ...source } = deps;
  const cache = new ResponseCache({
    database,
    maxBytes: answerCacheMb * megabyte,
    budgetBytes: answerBudgetMb * megabyte,
    isListening: () => listener.isListening(),
  });
  const handlers: ChangeHandlers = {
    onNotice(notice) {
      const isOfSpecies = notice.changes.some(({ kind }) => kind === 'species' || kind === 'everything');
      if (isOfSpecies) directory.forget();
      cache.onChange(notice);
    },
    onGap() {
      directory.forget();
      cache.onGap();
    },
  };
  const { settings, listener } = openSettings({ ...source, pool: database.pool, handlers });
  return { cache, settings, listener };
}
