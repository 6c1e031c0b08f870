import { setTimeout as pause } from 'node:timers/promises';
import { createLog } from '@birdhub/shared/log';
import { type ManualClock, manualClock } from '@birdhub/shared/time';
import { createTestDatabase, type TestDatabase } from '@birdhub/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutsideAnswers, type OutsideAnswers, type OutsideQuestion } from './external-api-cache.js';

const now = Date.UTC(2026, 4, 1, 8);
const hour = 3_600_000;

describe('external API cache', () => {
  let database: TestDatabase;
  let clock: ManualClock;
  let answers: OutsideAnswers;
  let lines: { level: string; msg: string }[];
  let asked: number;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  beforeEach(async () => {
    await database.pool.query('TRUNCATE outside_answer');
    clock = manualClock(now);
    lines = [];
    answers = aProcess();
    asked = 0;
  });
  afterAll(() => database.drop());

  function aProcess(): OutsideAnswers {
    const write = (line: string) => void lines.push(JSON.parse(line));
    return createOutsideAnswers({ ...database, clock, log: createLog('query', 'info', { write }) });
  }

  const about = (ask: () => unknown, key = 'US'): OutsideQuestion<unknown> => ({
    service: 'stub',
    key,
    freshMs: () => 4 * hour,
    retryMs: 60_000,
    async ask() {
      asked += 1;
      return ask();
    },
  });
  const saying = (value: unknown, key?: string) => about(() => value, key);
  const failing = (key?: string) =>
    about(() => {
      throw new Error('down');
    }, key);
  const countRows = async () =>
    (await database.pool.query('SELECT count(*) FROM outside_answer')).rows[0]?.count;

  it('never asked, is asked and answered', async () => {
    expect(await answers.get(saying({ list: [1] }))).toEqual({
      value: { list: [1] },
      isStale: false,
      askAgainAt: now + 4 * hour,
    });
  });

  it('asked again while it is fresh, also by another process, is not asked again', async () => {
    await answers.get(saying('first'));
    clock.advance(4 * hour - 1);
    expect(await answers.get(saying('second'))).toMatchObject({ value: 'first', isStale: false });
    expect(await aProcess().get(saying('second'))).toMatchObject({ value: 'first', isStale: false });
    expect(asked).toBe(1);
  });

  it('not fresh any more, is asked again', async () => {
    await answers.get(saying('first'));
    clock.advance(4 * hour);
    expect(await answers.get(saying('second'))).toMatchObject({ value: 'second', isStale: false });
  });

  it('how long it is fresh depends on the answer, is asked by that', async () => {
    const question = { ...saying([]), freshMs: (value: unknown) => (value as unknown[]).length + 5 };
    await answers.get(question);
    clock.advance(5);
    await answers.get(question);
    expect(asked).toBe(2);
  });

  it.each([false, 0, '', null, []])('the answer %j, is kept as an answer', async (value) => {
    await answers.get(saying(value));
    expect(await aProcess().get(failing())).toMatchObject({ value, isStale: false });
  });

  it('fails without an older answer, is nothing and stale, and is not asked again for a while', async () => {
    expect(await answers.get(failing())).toEqual({
      value: undefined,
      isStale: true,
      askAgainAt: now + 60_000,
    });
    clock.advance(59_999);
    expect(await answers.get(saying('x'))).toMatchObject({ value: undefined, isStale: true });
    clock.advance(1);
    expect(await answers.get(saying('x'))).toMatchObject({ value: 'x', isStale: false });
    expect(asked).toBe(2);
  });

  it('fails with an older answer, is that one and stale until it answers again', async () => {
    await answers.get(saying('old'));
    clock.advance(5 * hour);
    expect(await answers.get(failing())).toMatchObject({ value: 'old', isStale: true });
    clock.advance(1);
    expect(await aProcess().get(saying('new'))).toMatchObject({ value: 'old', isStale: true });
    clock.advance(60_000);
    expect(await answers.get(saying('new'))).toMatchObject({ value: 'new', isStale: false });
  });

  it('keeps failing, is a warning once and good news once', async () => {
    for (const question of [failing(), failing(), saying('x'), saying('y')]) {
      await answers.get(question);
      clock.advance(60_000);
    }
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info']);
  });

  it('other keys, are other answers', async () => {
    await answers.get(saying('us', 'US'));
    expect(await answers.get(saying('gb', 'GB'))).toMatchObject({ value: 'gb' });
  });

  it('many at once in two processes, wait for one request', async () => {
    const slow = () => about(() => pause(150, 'slow'));
    const processes = [answers, aProcess()];
    const all = await Promise.all(Array.from({ length: 20 }, (_, at) => processes[at % 2]?.get(slow())));
    expect(all.map((answer) => answer?.value)).toEqual(Array(20).fill('slow'));
    expect(asked).toBe(1);
  });

  it('many at once in two processes and it fails, all have the older answer', async () => {
    await answers.get(saying('old'));
    clock.advance(5 * hour);
    const slowFailure = () => about(async () => Promise.reject(await pause(150, new Error('down'))));
    const all = await Promise.all([answers, aProcess(), answers].map((each) => each.get(slowFailure())));
    expect(all).toEqual(Array(3).fill(expect.objectContaining({ value: 'old', isStale: true })));
    expect(asked).toBe(2);
  });

  it('the process that asked was killed, is asked by another when its claim is over', async () => {
    void answers.get(about(() => new Promise(() => undefined)));
    await pause(50);
    clock.advance(10_000);
    expect(await aProcess().get(saying('after all'))).toMatchObject({ value: 'after all' });
  });

  it('another process asks for longer than anybody waits, is what there is', async () => {
    await answers.get(saying('old'));
    clock.advance(5 * hour);
    void answers.get(about(() => new Promise(() => undefined)));
    await pause(50);
    expect(await aProcess().get(saying('new'))).toMatchObject({ value: 'old', isStale: true });
  });

  it('two months later, is forgotten with what was never answered', async () => {
    await answers.get(saying('x', 'old'));
    await answers.get(failing('never'));
    clock.advance(61 * 24 * hour);
    await answers.get(saying('y', 'new'));
    expect(await countRows()).toBe(1);
  });
});
