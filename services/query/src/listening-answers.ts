import { openSettings, type SettingsReader } from '@birdhub/domain/settings';
import type { SpeciesDirectory } from '@birdhub/domain/species';
import type { BellHandlers, BellListener, Database } from '@birdhub/shared/db';
import type { SecretBox } from '@birdhub/shared/secrets';
import type { Logger } from 'pino';
import { AnswerBudget } from './answers/answer-budget.js';
import { createAnswerStore } from './answers/answer-store.js';
import { type Answers, createAnswers } from './answers/answers.js';

const megabyte = 1024 * 1024;

/** What the bell keeps true: kept answers and settings, and the species directory that was given. */
export interface ListeningAnswers {
  readonly answers: Answers;
  readonly settings: SettingsReader;
  readonly listener: BellListener;
}

/** Kept answers, settings and species that are forgotten as soon as the bell says that something changed. */
export function listenForAnswers(options: {
  readonly database: Database;
  /** The primary database, where the bell rings. */
  readonly url: string;
  readonly hostZone: string;
  readonly answerCacheMb: number;
  readonly answerBudgetMb: number;
  /** Opens the keys of services outside. */
  readonly secrets?: SecretBox;
  readonly directory: Pick<SpeciesDirectory, 'forget'>;
  readonly log: Logger;
}): ListeningAnswers {
  const { database, answerCacheMb, answerBudgetMb, directory, ...source } = options;
  const answers = createAnswers({
    database,
    store: createAnswerStore(answerCacheMb * megabyte),
    budget: new AnswerBudget(answerBudgetMb * megabyte),
    isListening: () => listener.isListening(),
  });
  const handlers: BellHandlers = {
    onRing(ring) {
      const isOfSpecies = ring.changes.some(({ kind }) => kind === 'species' || kind === 'everything');
      if (isOfSpecies) directory.forget();
      answers.onRing(ring);
    },
    onGap() {
      directory.forget();
      answers.onGap();
    },
  };
  const { settings, listener } = openSettings({ ...source, pool: database.pool, handlers });
  return { answers, settings, listener };
}
