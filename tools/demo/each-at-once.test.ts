import { describe, expect, it } from 'vitest';
import { eachAtOnce } from './each-at-once.js';

const soon = () => new Promise<void>((done) => setImmediate(done));

describe('eachAtOnce', () => {
  it('items, more than the limit, are all done and never more than the limit at once', async () => {
    let atWork = 0;
    let most = 0;
    const done: number[] = [];
    await eachAtOnce([1, 2, 3, 4, 5, 6, 7], 3, async (item) => {
      atWork += 1;
      most = Math.max(most, atWork);
      await soon();
      atWork -= 1;
      done.push(item);
    });
    expect(most).toBe(3);
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('failure, of one item, starts nothing new, waits for the rest and is thrown', async () => {
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
