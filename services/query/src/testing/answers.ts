import type { Change } from '@birdhub/shared/db';
import type pg from 'pg';
import { AnswerBudget } from '../answers/answer-budget.js';
import { createAnswerStore } from '../answers/answer-store.js';
import { createAnswers, type Question } from '../answers/answers.js';
import { makeAnswer } from '../answers/make-answer.js';
import type { Scope } from '../answers/scope.js';

/** A pool that nobody asks. */
export const pool = { name: 'primary' } as unknown as pg.Pool;
export const replica = { name: 'replica' } as unknown as pg.Pool;
/** Made of the recordings of one day. */
export const day: Scope = { recordings: { from: 0, to: 86_400_000 } };
export const inDay: Change = { kind: 'recordings', from: 1_000, to: 2_000 };
export const muchLater: Change = { kind: 'recordings', from: 900_000_000, to: 900_001_000 };

/** Answers with a bell that the test rings. */
export function setUpAnswers({ hasReplica = false } = {}) {
  const state = { isListening: true };
  const answers = createAnswers({
    database: { pool, readPool: hasReplica ? replica : pool, hasReplica },
    store: createAnswerStore(1024 * 1024),
    budget: new AnswerBudget(1024 * 1024),
    isListening: () => state.isListening,
  });
  let sequence = 0;
  const ring = (...changes: Change[]) => {
    sequence += 1;
    answers.onRing({ origin: 'writer', sequence, changes });
  };
  return { answers, state, ring };
}

/** A question whose answers are numbered, and are given when the test says so. */
export function aQuestion(scope: Scope | undefined = day) {
  const askedPools: pg.Pool[] = [];
  const waiting: (() => void)[] = [];
  const question: Question = {
    key: 'question',
    answer: (asked) => {
      const number = askedPools.push(asked);
      return new Promise((resolve) => {
        waiting.push(() => resolve({ answer: makeAnswer(String(number)), scope }));
      });
    },
  };
  const finish = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { question, finish, askedPools };
}

/** Asks and lets the answer be given at once. */
export async function askNow(
  { answers }: ReturnType<typeof setUpAnswers>,
  { question, finish }: ReturnType<typeof aQuestion>,
  rings?: string,
): Promise<string> {
  const asked = answers.ask(question, rings);
  // Whoever waits for a ring asks a tenth of a second later.
  const timer = setInterval(finish, 1);
  const { body } = await asked;
  clearInterval(timer);
  return body.toString();
}
