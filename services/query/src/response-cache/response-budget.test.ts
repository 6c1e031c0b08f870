import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ResponseBudget } from './response-budget.js';

const megabyte = 1024 * 1024;
const aBody = (bytes: number) => Buffer.alloc(bytes);
const busy = { code: 'busy', retryAfterSeconds: 5 };

describe('ResponseBudget', () => {
  it('large responses beyond it, are built one after the other', async () => {
    const budget = new ResponseBudget(100 * megabyte);
    const underWay: (() => void)[] = [];
    let most = 0;
    const make = () =>
      budget.reserve(40 * megabyte, async () => {
        await new Promise<void>((resolve) => {
          most = Math.max(most, underWay.push(resolve));
        });
        return aBody(0);
      });
    const all = Promise.all(Array.from({ length: 8 }, make));
    for (let made = 0; made < 8; made += 1) {
      await turn();
      underWay.shift()?.();
      await turn();
      await turn();
    }
    await all;
    await turn();
    expect([most, budget.inUse]).toEqual([2, 0]);
  });

  it('a response that fails, frees its share', async () => {
    const budget = new ResponseBudget(megabyte);
    await expect(budget.reserve(megabyte, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await turn();
    expect(budget.inUse).toBe(0);
  });

  it('more waiting responses than the limit, are refused as busy', async () => {
    const budget = new ResponseBudget(megabyte);
    const finishes: (() => void)[] = [];
    const first = budget.reserve(megabyte, () => new Promise<void>((resolve) => finishes.push(resolve)));
    await turn();
    const waiting = Array.from({ length: 16 }, () => budget.reserve(megabyte, async () => undefined));
    await expect(budget.reserve(megabyte, async () => undefined)).rejects.toMatchObject(busy);
    expect(budget.isWanted).toBe(true);
    for (const finish of finishes) finish();
    await Promise.all([first, ...waiting]);
  });

  it('a body being sent, is counted once for all its readers, until the last has it', () => {
    const budget = new ResponseBudget(10 * megabyte);
    const body = aBody(2 * megabyte);
    const [one, other] = [budget.hold(body), budget.hold(body)];
    expect(budget.inUse).toBe(2 * megabyte);
    one?.();
    one?.();
    expect(budget.inUse).toBe(2 * megabyte);
    other?.();
    expect(budget.inUse).toBe(0);
  });

  it('a small body, is not counted and sent even without capacity', () => {
    const budget = new ResponseBudget(megabyte);
    budget.hold(aBody(2 * megabyte));
    expect(budget.hold(aBody(1_000))).toBeUndefined();
  });

  it('a body beyond the capacity, is refused as busy and sets isWanted', () => {
    const budget = new ResponseBudget(megabyte);
    const release = budget.hold(aBody(2 * megabyte));
    expect(budget.isWanted).toBe(false);
    expect(() => budget.hold(aBody(megabyte))).toThrow(expect.objectContaining(busy));
    expect(budget.isWanted).toBe(true);
    release?.();
    expect(budget.hold(aBody(megabyte))).toBeTypeOf('function');
  });

  it('a body being sent, leaves less capacity for new ones', async () => {
    const budget = new ResponseBudget(10 * megabyte);
    const release = budget.hold(aBody(8 * megabyte));
    let isMade = false;
    const made = budget.reserve(5 * megabyte, async () => {
      isMade = true;
    });
    await turn();
    expect(isMade).toBe(false);
    release?.();
    await made;
    expect(isMade).toBe(true);
  });
});
