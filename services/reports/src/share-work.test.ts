import { describe, expect, it } from 'vitest';
import { createShareWork } from './share-work.js';

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

describe('createShareWork', () => {
  it('the same is wanted twice at once, is done once for both', async () => {
    const share = createShareWork<string>();
    const task = aTask();
    const both = [share('a', stays(), task.work), share('a', stays(), task.work)];
    task.end('done');
    expect(await Promise.all(both)).toEqual(['done', 'done']);
    expect(task.begun).toHaveLength(1);
  });

  it('the same is wanted again after its end, is done again', async () => {
    const share = createShareWork<string>();
    expect(await share('a', stays(), async () => 'first')).toBe('first');
    expect(await share('a', stays(), async () => 'second')).toBe('second');
  });

  it('others are wanted, are done beside it', async () => {
    const share = createShareWork<string>();
    const task = aTask();
    const first = share('a', stays(), task.work);
    expect(await share('b', stays(), async () => 'b')).toBe('b');
    task.end('a');
    expect(await first).toBe('a');
  });

  it('one of two leaves, goes on for the other', async () => {
    const share = createShareWork<string>();
    const task = aTask();
    const leaver = new AbortController();
    const results = [share('a', leaver.signal, task.work), share('a', stays(), task.work)];
    leaver.abort();
    expect(task.begun[0]?.aborted).toBe(false);
    task.end('done');
    expect(await results[1]).toBe('done');
  });

  it('all leave, is aborted, and who comes then gets work of their own', async () => {
    const share = createShareWork<string>();
    const task = aTask();
    const leaver = new AbortController();
    const results = [share('a', leaver.signal, task.work), share('a', leaver.signal, task.work)];
    leaver.abort(new Error('left'));
    const next = share('a', stays(), async () => 'mine');
    expect(await Promise.allSettled(results)).toMatchObject([
      { reason: { message: 'left' } },
      { reason: { message: 'left' } },
    ]);
    expect(task.begun.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await next).toBe('mine');
  });

  it('it fails, fails for all', async () => {
    const share = createShareWork<string>();
    const fail = () => Promise.reject(new Error('no'));
    const both = [share('a', stays(), fail), share('a', stays(), fail)];
    await expect(both[0]).rejects.toThrow('no');
    await expect(both[1]).rejects.toThrow('no');
  });

  it('who has left already, begins nothing', async () => {
    const task = aTask();
    await expect(createShareWork<string>()('a', AbortSignal.abort(), task.work)).rejects.toThrow();
    expect(task.begun).toEqual([]);
  });
});
