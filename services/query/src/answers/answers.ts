import { createSingleFlight } from '@birdhub/shared/async';
import type { Change, Database, Ring } from '@birdhub/shared/db';
import type pg from 'pg';
import type { AnswerBudget } from './answer-budget.js';
import type { Answer, AnswerStore } from './answer-store.js';
import { createHeardRings } from './heard-rings.js';
import { isTouched, type Scope } from './scope.js';

/** An answer and what it was made of; without a scope it is not kept. */
export interface Finding {
  readonly answer: Answer;
  readonly scope: Scope | undefined;
}

/** What is asked: equal keys have equal answers until something changes. */
export interface Question {
  readonly key: string;
  /** `budget` is for what may be large. */
  answer(pool: pg.Pool, budget: AnswerBudget): Promise<Finding>;
}

/** Answers questions, from memory when nothing has changed since. */
export interface Answers {
  /** `rings` is the `x-hub-bell` of the request: changes that the answer must show. */
  ask(question: Question, rings: string | undefined): Promise<Answer>;
  onRing(ring: Ring): void;
  /** Rings may have been missed. */
  onGap(): void;
  /** Limits what is made and sent at once. */
  readonly budget: AnswerBudget;
}

/** What answers are made with. */
export interface AnswersDependencies {
  readonly database: Pick<Database, 'pool' | 'readPool' | 'hasReplica'>;
  readonly store: AnswerStore;
  readonly budget: AnswerBudget;
  /** Whether every ring is heard now. */
  readonly isListening: () => boolean;
}

/** An answer in the making, and what changed meanwhile. */
interface Making {
  readonly changes: Change[];
  hasGap: boolean;
}

/** How long a request waits for the news of its own change before it is answered from the database. */
const patienceMs = 100;

/** Answers that are kept as long as the bell says nothing against them. */
export function createAnswers({ database, store, budget, isListening }: AnswersDependencies): Answers {
  const { pool, readPool, hasReplica } = database;
  const heard = createHeardRings();
  const makings = new Set<Making>();
  /** What equal questions may wait for: begun after the last ring. */
  const joinable = createSingleFlight<Answer>();

  async function make({ key, answer: find }: Question): Promise<Answer> {
    const making: Making = { changes: [], hasGap: false };
    makings.add(making);
    try {
      const { answer, scope } = await find(pool, budget);
      const isStale = making.hasGap || !scope || making.changes.some((change) => isTouched(scope, change));
      if (!isStale && isListening()) store.put(key, answer, scope);
      return answer;
    } finally {
      makings.delete(making);
    }
  }

  function forgetAll(): void {
    store.clear();
    for (const making of makings) making.hasGap = true;
    joinable.forget();
  }

  /**
   * Waits for rings of the caller. One that does not come was rung before this process listened, or is late: what is
   * answered from now on shows its change anyhow, so it is waited for only once.
   */
  async function catchUp(rings: string): Promise<void> {
    if (await heard.haveHeard(rings, patienceMs)) return;
    forgetAll();
    heard.takeAsHeard(rings);
  }

  async function ask(question: Question, rings: string | undefined): Promise<Answer> {
    // A replica shows changes at a time of its own, and not yet those that the caller has made.
    if (hasReplica) return (await question.answer(rings ? pool : readPool, budget)).answer;
    if (rings && isListening()) await catchUp(rings);
    if (!isListening()) return (await question.answer(pool, budget)).answer;
    return store.find(question.key) ?? joinable.run(question.key, () => make(question));
  }

  return {
    budget,
    ask,
    onRing(ring) {
      for (const change of ring.changes) store.drop(change);
      for (const making of makings) making.changes.push(...ring.changes);
      joinable.forget();
      heard.hear(ring);
    },
    onGap: forgetAll,
  };
}
