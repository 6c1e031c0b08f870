import { describe, expect, it } from 'vitest';
import { eachAtOnce } from './each-at-once.js';

const soon = () => new Promise<void>((done) => setImmediate(done));

describe('eachAtOnce', () => {
  it('with more items than the limit, processes all and never more than the limit at once', async () => {
    let running = 0;
    let maxRunning = 0;
    const done: number[] = [];
    await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await soon();
      running -= 1;
      done.push(item);
    });
    expect(maxRunning).toBe(3);
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('when one item fails, starts no more, waits for the others and throws', async () => {
    const started: number[] = [];
    const ended: number[] = [];
    const work = eachAtOnce([1, 2, 3, 4, 5, 6], 2, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('two');
      await soon();
      ended.push(item);
    });
    await expect(work).rejects.toThrow('two');
    expect(started).toEqual([1, 2]);
    expect(ended).toEqual([1]);
  });
});
