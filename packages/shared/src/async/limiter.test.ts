import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLimiter, type Limiter, type Release } from './limiter.js';

const busy = { code: 'busy', status: 503, retryAfterSeconds: 5 };

describe('createLimiter', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const create = (given: { max?: number; maxWaiting?: number } = {}) =>
    createLimiter({ max: 2, maxWaiting: 2, waitTimeoutMs: 1_000, ...given });
  /** Acquires and records the order of success. */
  function acquireInto(order: string[], limiter: Limiter, name: string, units = 1): Promise<Release> {
    const acquired = limiter.acquire({ units });
    void acquired.then(() => order.push(name));
    return acquired;
  }
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it('acquire with free units resolves at once; without, it is queued', async () => {
    const limiter = create();
    const order: string[] = [];
    const first = await acquireInto(order, limiter, 'first');
    await acquireInto(order, limiter, 'second');
    void acquireInto(order, limiter, 'third');
    void acquireInto(order, limiter, 'fourth');
    await settle();
    expect([order, limiter.inUse, limiter.waiting]).toEqual([['first', 'second'], 2, 2]);
    first();
    first();
    await settle();
    expect([order, limiter.inUse, limiter.waiting]).toEqual([['first', 'second', 'third'], 2, 1]);
  });

  it('acquire with a full queue is refused at once as busy', async () => {
    const limiter = create({ max: 1, maxWaiting: 1 });
    await limiter.acquire();
    void limiter.acquire().catch(() => undefined);
    await expect(limiter.acquire()).rejects.toMatchObject(busy);
  });

  it('waiting longer than the deadline is refused as busy and leaves the queue', async () => {
    const limiter = create({ max: 1 });
    await limiter.acquire();
    const refused = expect(limiter.acquire()).rejects.toMatchObject(busy);
    await vi.advanceTimersByTimeAsync(1_000);
    await refused;
    expect(limiter.waiting).toBe(0);
  });

  it('an abort while waiting leaves the queue, an abort before takes nothing', async () => {
    const limiter = create({ max: 1 });
    const release = await limiter.acquire();
    const leaving = new AbortController();
    const left = expect(limiter.acquire({ signal: leaving.signal })).rejects.toThrow('gone');
    leaving.abort(new Error('gone'));
    await left;
    await expect(limiter.acquire({ signal: leaving.signal })).rejects.toThrow('gone');
    release();
    expect([limiter.inUse, limiter.waiting]).toEqual([0, 0]);
  });

  it('units are weighed, in order: a small request does not overtake a large one', async () => {
    const limiter = create({ max: 10 });
    const order: string[] = [];
    const first = await acquireInto(order, limiter, 'first', 6);
    void acquireInto(order, limiter, 'large', 8);
    void acquireInto(order, limiter, 'small', 2);
    await settle();
    expect(order).toEqual(['first']);
    first();
    await settle();
    expect([order, limiter.inUse]).toEqual([['first', 'large', 'small'], 10]);
  });

  it('a large request that is aborted lets those behind it start', async () => {
    const limiter = create({ max: 10 });
    const order: string[] = [];
    await acquireInto(order, limiter, 'first', 6);
    const leaving = new AbortController();
    const large = limiter.acquire({ units: 8, signal: leaving.signal }).catch(() => undefined);
    void acquireInto(order, limiter, 'small', 2);
    leaving.abort();
    await large;
    await settle();
    expect(order).toEqual(['first', 'small']);
  });

  it('a request for more than the maximum starts when nothing else is in use', async () => {
    const limiter = create({ max: 10 });
    const release = await limiter.acquire({ units: 1_000 });
    expect(limiter.inUse).toBe(10);
    release();
    expect(limiter.inUse).toBe(0);
  });

  it('units taken without waiting delay those who wait', async () => {
    const limiter = create({ max: 10 });
    const release = limiter.take(25);
    const order: string[] = [];
    void acquireInto(order, limiter, 'waiting');
    await settle();
    expect(order).toEqual([]);
    release();
    await settle();
    expect([order, limiter.inUse]).toEqual([['waiting'], 1]);
  });

  it('run releases after success and after failure', async () => {
    const limiter = create({ max: 1 });
    expect(await limiter.run(async () => 'done')).toBe('done');
    await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(limiter.inUse).toBe(0);
  });
});
