import { type BellListener, type Database, listenToBell } from '@birdhub/shared/db';
import { createSettingsReader, type SettingsReader } from '@birdhub/shared/settings';
import type { Logger } from 'pino';
import { createAnswerStore } from './answers/answer-store.js';
import { type Answers, createAnswers } from './answers/answers.js';

/** What the bell keeps true: kept answers and settings. */
export interface ListeningAnswers {
  readonly answers: Answers;
  readonly settings: SettingsReader;
  readonly listener: BellListener;
}

/** Kept answers and settings that are forgotten as soon as the bell says that something changed. */
export function listenForAnswers(options: {
  readonly database: Database;
  /** The primary database, where the bell rings. */
  readonly url: string;
  readonly hostZone: string;
  readonly answerCacheMb: number;
  readonly log: Logger;
}): ListeningAnswers {
  const { database, url, hostZone, answerCacheMb, log } = options;
  const settings = createSettingsReader(database.pool, hostZone);
  const answers = createAnswers({
    database,
    store: createAnswerStore(answerCacheMb * 1024 * 1024),
    isListening: () => listener.isListening(),
  });
  const listener = listenToBell(
    url,
    {
      onRing(ring) {
        const isOfSettings = ring.changes.some(({ kind }) => kind === 'settings' || kind === 'everything');
        if (isOfSettings) settings.forget();
        answers.onRing(ring);
      },
      onGap() {
        settings.forget();
        answers.onGap();
      },
    },
    log,
  );
  return { answers, settings, listener };
}
