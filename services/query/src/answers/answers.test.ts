import type { Change } from '@birdhub/shared/db';
import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createAnswerStore } from './answer-store.js';
import { createAnswers, type Question } from './answers.js';
import { makeAnswer } from './make-answer.js';
import type { Scope } from './scope.js';

const pool = { name: 'primary' } as unknown as pg.Pool;
const replica = { name: 'replica' } as unknown as pg.Pool;
const day: Scope = { recordings: { from: 0, to: 86_400_000 } };
const inDay: Change = { kind: 'recordings', from: 1_000, to: 2_000 };
const muchLater: Change = { kind: 'recordings', from: 900_000_000, to: 900_001_000 };

function setUp({ hasReplica = false } = {}) {
  const state = { isListening: true };
  const answers = createAnswers({
    database: { pool, readPool: hasReplica ? replica : pool, hasReplica },
    store: createAnswerStore(1024 * 1024),
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
function aQuestion(scope: Scope | undefined = day) {
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
async function askNow(
  { answers }: ReturnType<typeof setUp>,
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

describe('ask', () => {
  it('the same question again, is answered from memory', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['1', '1']);
    expect(asked.askedPools).toEqual([pool]);
  });

  it('a change of what it was made of, is answered anew', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    await askNow(hub, asked);
    hub.ring(muchLater);
    expect(await askNow(hub, asked)).toBe('1');
    hub.ring(muchLater, inDay);
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('an answer without a scope, is not kept', async () => {
    const hub = setUp();
    const { question } = aQuestion();
    let count = 0;
    const unscoped: Question = {
      key: question.key,
      answer: async () => {
        count += 1;
        return { answer: makeAnswer(String(count)), scope: undefined };
      },
    };
    await hub.answers.ask(unscoped, undefined);
    expect((await hub.answers.ask(unscoped, undefined)).body.toString()).toBe('2');
  });

  it('equal questions at once, share one answer', async () => {
    const [{ answers }, { question, finish, askedPools }] = [setUp(), aQuestion()];
    const asked = [answers.ask(question, undefined), answers.ask(question, undefined)];
    finish();
    const [first, second] = await Promise.all(asked);
    expect(second).toBe(first);
    expect(askedPools).toHaveLength(1);
  });

  it('a ring between two equal questions, gives the second an answer of its own', async () => {
    const [{ answers, ring }, { question, finish }] = [setUp(), aQuestion()];
    const first = answers.ask(question, undefined);
    ring(inDay);
    const second = answers.ask(question, undefined);
    finish();
    expect((await first).body.toString()).toBe('1');
    expect((await second).body.toString()).toBe('2');
  });

  it('a change while it is answered, is answered but not kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.ring(inDay);
    asked.finish();
    await early;
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('a change of something else while it is answered, is kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.ring(muchLater);
    asked.finish();
    await early;
    expect(await askNow(hub, asked)).toBe('1');
  });

  it('rings that may have been missed, forget everything kept or in the making', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    await askNow(hub, asked);
    hub.answers.onGap();
    const during = hub.answers.ask(asked.question, undefined);
    hub.answers.onGap();
    asked.finish();
    expect((await during).body.toString()).toBe('2');
    expect(await askNow(hub, asked)).toBe('3');
  });

  it('nobody listens, is neither answered from memory nor kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    await askNow(hub, asked);
    hub.state.isListening = false;
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['2', '3']);
    hub.state.isListening = true;
    expect(await askNow(hub, asked)).toBe('1');
  });

  it('the listener stops while it is answered, is not kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.state.isListening = false;
    asked.finish();
    await early;
    hub.state.isListening = true;
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('a failure, is for all who asked and is forgotten', async () => {
    const { answers } = setUp();
    const failing: Question = { key: 'k', answer: () => Promise.reject(new Error('no database')) };
    const asked = [answers.ask(failing, undefined), answers.ask(failing, undefined)];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const fine: Question = { key: 'k', answer: async () => ({ answer: makeAnswer('1'), scope: day }) };
    expect((await answers.ask(fine, undefined)).body.toString()).toBe('1');
  });
});

describe('ask with rings of the caller', () => {
  it('they are heard already, is answered from memory', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    hub.ring(muchLater);
    await askNow(hub, asked);
    expect(await askNow(hub, asked, 'writer:1')).toBe('1');
  });

  it('they are heard soon, is answered anew and kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    await askNow(hub, asked);
    setTimeout(() => hub.ring(inDay), 5);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
  });

  it('they are not heard in time, is answered from the database and not kept', async () => {
    const [hub, asked] = [setUp(), aQuestion()];
    await askNow(hub, asked);
    expect(await askNow(hub, asked, 'writer:1')).toBe('2');
    expect(await askNow(hub, asked)).toBe('1');
  });
});

describe('ask with a replica', () => {
  it('any question, is asked of the replica each time', async () => {
    const [hub, asked] = [setUp({ hasReplica: true }), aQuestion()];
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['1', '2']);
    expect(asked.askedPools).toEqual([replica, replica]);
  });

  it('rings of the caller, is asked of the primary', async () => {
    const [hub, asked] = [setUp({ hasReplica: true }), aQuestion()];
    await askNow(hub, asked, 'writer:1');
    expect(asked.askedPools).toEqual([pool]);
  });
});
