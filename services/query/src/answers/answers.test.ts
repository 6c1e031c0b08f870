import { describe, expect, it } from 'vitest';
import { aQuestion, askNow, day, inDay, muchLater, pool, setUpAnswers } from '../testing/answers.js';
import type { Question } from './answers.js';
import { makeAnswer } from './make-answer.js';

describe('ask', () => {
  it('the same question again, is answered from memory', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['1', '1']);
    expect(asked.askedPools).toEqual([pool]);
  });

  it('a change of what it was made of, is answered anew', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    hub.ring(muchLater);
    expect(await askNow(hub, asked)).toBe('1');
    hub.ring(muchLater, inDay);
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('an answer without a scope, is not kept', async () => {
    const hub = setUpAnswers();
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
    const [{ answers }, { question, finish, askedPools }] = [setUpAnswers(), aQuestion()];
    const asked = [answers.ask(question, undefined), answers.ask(question, undefined)];
    finish();
    const [first, second] = await Promise.all(asked);
    expect(second).toBe(first);
    expect(askedPools).toHaveLength(1);
  });

  it('a ring between two equal questions, gives the second an answer of its own', async () => {
    const [{ answers, ring }, { question, finish }] = [setUpAnswers(), aQuestion()];
    const first = answers.ask(question, undefined);
    ring(inDay);
    const second = answers.ask(question, undefined);
    finish();
    expect((await first).body.toString()).toBe('1');
    expect((await second).body.toString()).toBe('2');
  });

  it('a change while it is answered, is answered but not kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.ring(inDay);
    asked.finish();
    await early;
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('a change of something else while it is answered, is kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.ring(muchLater);
    asked.finish();
    await early;
    expect(await askNow(hub, asked)).toBe('1');
  });

  it('rings that may have been missed, forget everything kept or in the making', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    hub.answers.onGap();
    const during = hub.answers.ask(asked.question, undefined);
    hub.answers.onGap();
    asked.finish();
    expect((await during).body.toString()).toBe('2');
    expect(await askNow(hub, asked)).toBe('3');
  });

  it('nobody listens, is neither answered from memory nor kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    await askNow(hub, asked);
    hub.state.isListening = false;
    expect([await askNow(hub, asked), await askNow(hub, asked)]).toEqual(['2', '3']);
    hub.state.isListening = true;
    expect(await askNow(hub, asked)).toBe('1');
  });

  it('the listener stops while it is answered, is not kept', async () => {
    const [hub, asked] = [setUpAnswers(), aQuestion()];
    const early = hub.answers.ask(asked.question, undefined);
    hub.state.isListening = false;
    asked.finish();
    await early;
    hub.state.isListening = true;
    expect(await askNow(hub, asked)).toBe('2');
  });

  it('a failure, is for all who asked and is forgotten', async () => {
    const { answers } = setUpAnswers();
    const failing: Question = { key: 'k', answer: () => Promise.reject(new Error('no database')) };
    const asked = [answers.ask(failing, undefined), answers.ask(failing, undefined)];
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const fine: Question = { key: 'k', answer: async () => ({ answer: makeAnswer('1'), scope: day }) };
    expect((await answers.ask(fine, undefined)).body.toString()).toBe('1');
  });
});
