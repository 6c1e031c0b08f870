import { describe, expect, it } from 'vitest';
import { PictureQueue, QueueFullError, type QueueLimits } from './picture-queue.js';

/** A queue whose work is ended by the test. */
function setUp(limits: Partial<QueueLimits> = {}) {
  const begun: number[] = [];
  const urgent: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const queue = new PictureQueue<{ readonly force: boolean }, string>(
    (videoId, { isRequested }) => {
      begun.push(videoId);
      if (isRequested) urgent.push(videoId);
      return new Promise((resolve, reject) => {
        ends.set(videoId, (error) => (error ? reject(error) : resolve(`made ${videoId}`)));
      });
    },
    { maxConcurrency: 1, ...limits },
  );
  const end = async (videoId: number, error?: Error) => {
    ends.get(videoId)?.(error);
    ends.delete(videoId);
    await new Promise(setImmediate);
  };
  /** Ends all work in progress until nothing waits. */
  const endAll = async () => {
    while (ends.size) await end([...ends.keys()][0] ?? 0);
  };
  const add = (videoId: number, isRequested = false) =>
    queue.add({ videoId, start: videoId * 1000, isRequested });
  return { queue, begun, urgent, end, endAll, add };
}

describe('picture queue', () => {
  it('waiting recordings, come newest first', async () => {
    const { begun, endAll, add } = setUp();
    for (const id of [1, 3, 2, 5, 4]) void add(id);
    await endAll();
    expect(begun).toEqual([1, 5, 4, 3, 2]);
  });

  it('a requested recording, comes before newer ones, and beside those in progress', async () => {
    const { begun, endAll, add } = setUp();
    for (const id of [9, 8, 7, 1]) void add(id);
    void add(1, true);
    expect(begun).toEqual([9, 1]);
    await endAll();
    expect(begun).toEqual([9, 1, 8, 7]);
  });

  it('a requested recording, is worked on as urgent', async () => {
    const { urgent, endAll, add } = setUp();
    for (const id of [9, 8, 7]) void add(id);
    void add(7, true);
    await endAll();
    expect(urgent).toEqual([7]);
  });

  it('requested recordings, run in the order of the requests, with one extra slot', async () => {
    const { begun, end, add } = setUp();
    for (const id of [3, 1, 2, 4]) void add(id, true);
    expect(begun).toEqual([3, 1]);
    await end(1);
    expect(begun).toEqual([3, 1, 2]);
  });

  it('the oldest recording, with a constant flow of new ones, gets every eighth turn', async () => {
    const { begun, end, add } = setUp();
    void add(1);
    void add(2);
    for (let id = 100; id < 110; id += 1) {
      void add(id);
      await end(begun.at(-1) ?? 0);
    }
    expect(begun.indexOf(2)).toBe(7);
  });

  it('a recording added twice while queued, is worked on once, and both get the outcome', async () => {
    const { begun, endAll, add } = setUp();
    void add(9);
    void add(8, true);
    const both = [add(1), add(1, true), add(1)];
    await endAll();
    expect(await Promise.all(both)).toEqual(['made 1', 'made 1', 'made 1']);
    expect(begun).toEqual([9, 8, 1]);
  });

  it('a recording added while in progress, is worked on again after that, and never twice at once', async () => {
    const { begun, end, add } = setUp({ maxConcurrency: 4 });
    void add(1);
    void add(1);
    expect(begun).toEqual([1]);
    await end(1);
    expect(begun).toEqual([1, 1]);
  });

  it('a recording requested while in progress, is not worked on again', async () => {
    const { begun, endAll, add } = setUp({ maxConcurrency: 4 });
    void add(1);
    const asked = add(1, true);
    await endAll();
    expect([await asked, begun]).toEqual(['made 1', [1]]);
  });

  it('a thousand requests, start two, wait up to the limit and refuse the rest', async () => {
    const { begun, add } = setUp({ maxRequested: 20 });
    const asked = Array.from({ length: 1_000 }, (_, id) =>
      add(id + 1, true).catch((error: unknown) => error instanceof QueueFullError),
    );
    const refused = (await Promise.race([Promise.all(asked.slice(22)), Promise.all(asked)])) as boolean[];
    expect([begun.length, refused.length, refused.every((one) => one === true)]).toEqual([2, 978, true]);
  });

  it('more recordings than the limit, drop the oldest', async () => {
    const { begun, endAll, add } = setUp({ maxWaiting: 2 });
    void add(9);
    const dropped = add(1);
    for (const id of [2, 3]) void add(id);
    expect(await dropped).toBeUndefined();
    await endAll();
    expect(begun).toEqual([9, 3, 2]);
  });

  it('work that fails, rejects for its callers and starts the next', async () => {
    const { begun, end, add } = setUp();
    const failed = add(2);
    void add(1);
    await end(2, new Error('no'));
    await expect(failed).rejects.toThrow('no');
    expect(begun).toEqual([2, 1]);
  });

  it('a job for a queued recording, runs separately, even if the other fails', async () => {
    const { queue, begun, end, add } = setUp();
    for (const id of [9, 1]) void add(id).catch(() => undefined);
    const job = queue.add({ videoId: 1, start: 1_000, options: { force: true } });
    await end(9);
    await end(1, new Error('no'));
    await end(1);
    expect([await job, begun]).toEqual(['made 1', [9, 1, 1]]);
  });

  it('closed, drops what is queued and waits for work in progress', async () => {
    const { queue, begun, end, add } = setUp();
    void add(2);
    const waiting = add(1);
    const closed = queue.close();
    expect(await waiting).toBeUndefined();
    await end(2);
    await closed;
    expect([begun, queue.size, await add(3)]).toEqual([[2], 0, undefined]);
  });
});
