import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLoop, type LoopOptions } from './loop.js';

type Work = LoopOptions['work'];

const elapse = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('createLoop', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const onError = vi.fn();
  beforeEach(() => void onError.mockReset());
  const create = (work: Work, options: Partial<LoopOptions> = {}) =>
    createLoop({ work, everyMs: 1_000, onError, ...options });
  const takes = (ms: number) => vi.fn(() => new Promise<void>((resolve) => setTimeout(resolve, ms)));

  it('start runs a pass at once and the next one everyMs after its end', async () => {
    const work = takes(400);
    create(work).start();
    await elapse(0);
    expect(work).toHaveBeenCalledTimes(1);
    await elapse(400 + 999);
    expect(work).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('start with a first delay runs no pass before it', async () => {
    const work = takes(0);
    create(work, { firstAfterMs: 5_000 }).start();
    await elapse(4_999);
    expect(work).not.toHaveBeenCalled();
    await elapse(1);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('a second start runs no second pass', async () => {
    const work = takes(0);
    const loop = create(work);
    loop.start();
    await elapse(10);
    loop.start();
    await elapse(10);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('a delay that a pass returns is used once instead of the usual one', async () => {
    const delays = [30, undefined, 5_000];
    const work = vi.fn(async () => delays.shift());
    create(work).start();
    await elapse(30);
    expect(work).toHaveBeenCalledTimes(2);
    await elapse(1_000);
    expect(work).toHaveBeenCalledTimes(3);
    await elapse(4_999);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('an infinite delay waits for a wake', async () => {
    const work = takes(0);
    const loop = create(work, { everyMs: Number.POSITIVE_INFINITY });
    loop.start();
    await elapse(100_000_000);
    expect(work).toHaveBeenCalledTimes(1);
    loop.wake();
    await elapse(0);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('a delay longer than the maximum of a timer does not become none', async () => {
    const work = vi.fn(async () => 1e12);
    create(work).start();
    await elapse(1_000_000_000);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('several wakes in one tick run one pass', async () => {
    const work = takes(0);
    const loop = create(work);
    for (let count = 0; count < 5; count += 1) loop.wake();
    await elapse(10);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('several wakes during a pass run one more, after it', async () => {
    const work = takes(400);
    const loop = create(work);
    loop.start();
    await elapse(100);
    loop.wake();
    loop.wake();
    await elapse(299);
    expect(work).toHaveBeenCalledTimes(1);
    await elapse(1);
    expect(work).toHaveBeenCalledTimes(2);
    await elapse(1_399);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('a wake restarts the usual delay after its pass', async () => {
    const work = takes(0);
    const loop = create(work);
    loop.start();
    await elapse(900);
    loop.wake();
    await elapse(900);
    expect(work).toHaveBeenCalledTimes(2);
    await elapse(100);
    expect(work).toHaveBeenCalledTimes(3);
  });

  it('wakes with a wake delay run one pass that long after the first of them', async () => {
    const work = takes(0);
    const loop = create(work, { wakeDelayMs: 250 });
    for (let count = 0; count < 5; count += 1) {
      loop.wake();
      await elapse(49);
    }
    expect(work).not.toHaveBeenCalled();
    await elapse(5);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('a failed pass is reported with its number and repeated after a delay that doubles up to its limit', async () => {
    const error = new Error('away');
    const work = vi.fn(() => Promise.reject(error));
    create(work, { retryMs: 100, maxRetryMs: 300 }).start();
    await elapse(0);
    for (const delayMs of [100, 200, 300, 300]) {
      const before = work.mock.calls.length;
      await elapse(delayMs - 1);
      expect(work).toHaveBeenCalledTimes(before);
      await elapse(1);
      expect(work).toHaveBeenCalledTimes(before + 1);
    }
    expect(onError.mock.calls).toEqual([1, 2, 3, 4, 5].map((failures) => [error, failures]));
  });

  it('a successful pass resets the count of failures', async () => {
    const work = vi.fn<Work>(async () => undefined).mockRejectedValueOnce(new Error('one'));
    work.mockResolvedValueOnce(undefined).mockRejectedValueOnce(new Error('other'));
    create(work, { retryMs: 100, maxRetryMs: 10_000 }).start();
    await elapse(100 + 1_000);
    expect(onError.mock.calls.map(([, failures]) => failures)).toEqual([1, 1]);
  });

  it('work that throws synchronously is reported like any failure', async () => {
    create(() => {
      throw new Error('at once');
    }).start();
    await elapse(0);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('at once'), 1);
  });

  it('a wake after a failed pass does not wait for the next attempt', async () => {
    const work = vi.fn<Work>(async () => undefined).mockRejectedValueOnce(new Error('away'));
    const loop = create(work, { retryMs: 60_000 });
    loop.start();
    await elapse(10);
    loop.wake();
    await elapse(0);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('stop aborts the signal, waits for the pass, and reports no failure of it', async () => {
    const ended = vi.fn();
    const loop = create(async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 50));
      ended();
      throw signal.reason;
    });
    loop.start();
    await elapse(10);
    const stopped = vi.fn();
    void loop.stop().then(stopped);
    await elapse(49);
    expect([ended.mock.calls, stopped.mock.calls]).toEqual([[], []]);
    await elapse(1);
    expect([ended, stopped].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    expect(onError).not.toHaveBeenCalled();
  });

  it('an AbortError after stop is not reported, another failure is', async () => {
    const fails = (error: Error) => async () => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      throw error;
    };
    const aborted = new DOMException('aborted', 'AbortError');
    const loops = [aborted, new Error('away')].map((error) => create(fails(error)));
    for (const loop of loops) loop.start();
    await elapse(5);
    const stopping = loops.map((loop) => loop.stop());
    await elapse(5);
    await Promise.all(stopping);
    expect(onError.mock.calls).toEqual([[new Error('away'), 1]]);
  });

  it('stop between two passes leaves no timer', async () => {
    const work = takes(0);
    const loop = create(work);
    loop.start();
    await elapse(10);
    await loop.stop();
    expect(vi.getTimerCount()).toBe(0);
    loop.start();
    loop.wake();
    await elapse(10_000);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('stop in the tick of a wake runs nothing', async () => {
    const work = takes(0);
    const loop = create(work);
    loop.wake();
    await loop.stop();
    expect(work).not.toHaveBeenCalled();
  });

  it('running resolves with the end of the current pass, and is undefined without one', async () => {
    const loop = create(takes(400));
    expect(loop.running).toBeUndefined();
    loop.start();
    const ended = vi.fn();
    void loop.running?.then(ended);
    await elapse(399);
    expect(ended).not.toHaveBeenCalled();
    await elapse(1);
    expect(ended).toHaveBeenCalledOnce();
    expect(loop.running).toBeUndefined();
  });

  it('any order of wakes, ends, failures and pauses never overlaps passes, loses no wake, and stops for good', async () => {
    const step = fc.oneof(
      fc.constant({ kind: 'wake' as const }),
      fc.constant({ kind: 'fail' as const }),
      fc.record({ kind: fc.constant('end' as const), delayMs: fc.option(fc.nat(500), { nil: undefined }) }),
      fc.record({ kind: fc.constant('elapse' as const), ms: fc.nat(1_500) }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.constantFrom(0, 20),
        async (steps, wakeDelayMs) => {
          let running = 0;
          let begun = 0;
          let isWakeDue = false;
          let end: ((delayMs?: number) => void) | undefined;
          let fail: (() => void) | undefined;
          const loop = create(
            async () => {
              running += 1;
              begun += 1;
              isWakeDue = false;
              expect(running).toBe(1);
              try {
                return await new Promise<number | undefined>((resolve, reject) => {
                  end = resolve;
                  fail = () => reject(new Error('failed'));
                });
              } finally {
                running -= 1;
              }
            },
            { wakeDelayMs, retryMs: 50, maxRetryMs: 400 },
          );
          loop.start();
          for (const one of steps) {
            if (one.kind === 'wake') {
              loop.wake();
              isWakeDue = true;
            } else if (one.kind === 'end') end?.(one.delayMs);
            else if (one.kind === 'fail') fail?.();
            await elapse(one.kind === 'elapse' ? one.ms : 0);
            if (isWakeDue && running === 0) await elapse(wakeDelayMs);
            expect(isWakeDue && running === 0).toBe(false);
          }
          const stopped = vi.fn();
          const stopping = loop.stop().then(stopped);
          await elapse(0);
          expect(stopped).toHaveBeenCalledTimes(running === 0 ? 1 : 0);
          loop.wake();
          end?.();
          await stopping;
          const before = begun;
          await elapse(10_000);
          expect([running, begun, vi.getTimerCount()]).toEqual([0, before, 0]);
        },
      ),
    );
  });
});
