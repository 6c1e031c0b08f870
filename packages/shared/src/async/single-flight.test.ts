import { describe, expect, it } from 'vitest';
import { createSingleFlight } from './single-flight.js';

function aTask() {
  const begun: AbortSignal[] = [];
  let end = (_value: string) => {};
  const work = (signal: AbortSignal) => {
    begun.push(signal);
    return new Promise<string>((resolve, reject) => {
      end = resolve;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  return { begun, work, end: (value: string) => end(value) };
}

const stays = () => new AbortController().signal;

describe('createSingleFlight', () => {
  it('run of a key that is running shares its result', async () => {
    const flights = createSingleFlight<string>();
    const task = aTask();
    const both = [flights.run('a', task.work), flights.run('a', task.work, stays())];
    task.end('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(task.begun).toHaveLength(1);
  });

  it('run after the end of its key runs again', async () => {
    const flights = createSingleFlight<string>();
    expect(await flights.run('a', async () => 'first')).toBe('first');
    expect(await flights.run('a', async () => 'second')).toBe('second');
  });

  it('run of another key does not wait', async () => {
    const flights = createSingleFlight<string>();
    const task = aTask();
    const first = flights.run('a', task.work);
    expect(await flights.run('b', async () => 'b')).toBe('b');
    task.end('a');
    expect(await first).toBe('a');
  });

  it('one of two callers aborts, and the work continues for the other', async () => {
    const flights = createSingleFlight<string>();
    const task = aTask();
    const leaver = new AbortController();
    const results = [flights.run('a', task.work, leaver.signal), flights.run('a', task.work, stays())];
    leaver.abort();
    expect(task.begun[0]?.aborted).toBe(false);
    task.end('done');
    expect(await results[1]).toBe('done');
  });

  it('a caller with a signal aborts, and the work continues for one without', async () => {
    const flights = createSingleFlight<string>();
    const task = aTask();
    const leaver = new AbortController();
    const results = [flights.run('a', task.work, leaver.signal), flights.run('a', task.work)];
    leaver.abort();
    expect(task.begun[0]?.aborted).toBe(false);
    task.end('done');
    expect(await results[1]).toBe('done');
  });

  it('when all callers abort, the work is aborted, and the next caller starts its own', async () => {
    const flights = createSingleFlight<string>();
    const task = aTask();
    const leaver = new AbortController();
    const results = [flights.run('a', task.work, leaver.signal), flights.run('a', task.work, leaver.signal)];
    leaver.abort(new Error('left'));
    const next = flights.run('a', async () => 'mine');
    expect(await Promise.allSettled(results)).toMatchObject([
      { reason: { message: 'left' } },
      { reason: { message: 'left' } },
    ]);
    expect(task.begun.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await next).toBe('mine');
  });

  it('failed work fails for all callers, but not for later ones', async () => {
    const flights = createSingleFlight<string>();
    const fail = () => Promise.reject(new Error('no'));
    const both = [flights.run('a', fail), flights.run('a', fail)];
    await expect(both[0]).rejects.toThrow('no');
    await expect(both[1]).rejects.toThrow('no');
    expect(await flights.run('a', async () => 'well')).toBe('well');
  });

  it('a caller that is already aborted starts nothing', async () => {
    const task = aTask();
    const run = createSingleFlight<string>().run('a', task.work, AbortSignal.abort(new Error('left')));
    await expect(run).rejects.toThrow('left');
    expect(task.begun).toEqual([]);
  });

  it('run after forget starts again, and the end of the first leaves the second joinable', async () => {
    const flights = createSingleFlight<string>();
    const [first, second] = [aTask(), aTask()];
    const before = flights.run('a', first.work);
    flights.forget();
    const after = flights.run('a', second.work);
    first.end('old');
    expect(await before).toBe('old');
    const joined = flights.run('a', first.work);
    second.end('new');
    expect(await Promise.all([after, joined])).toEqual(['new', 'new']);
    expect([first, second].map(({ begun }) => begun.length)).toEqual([1, 1]);
  });
});
