import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRefresher } from './refresher.js';

const log = pino({ level: 'silent' });

describe('refresher', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('many who ask in a moment, are one run', async () => {
    const work = vi.fn(async () => 30_000);
    const { ask } = createRefresher(work, log);
    for (let n = 0; n < 10; n += 1) {
      ask();
      await vi.advanceTimersByTimeAsync(20);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('nobody asks, works again after the pause that the run before answered', async () => {
    const pauses = [700, 30_000, 30_000];
    const work = vi.fn(async () => pauses.shift() ?? 30_000);
    createRefresher(work, log).ask();
    await vi.advanceTimersByTimeAsync(250);
    await vi.advanceTimersByTimeAsync(699);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('somebody asks during a run, works once more after it and never twice at once', async () => {
    let running = 0;
    const work = vi.fn(async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 400));
      running -= 1;
      return 30_000;
    });
    const { ask } = createRefresher(work, log);
    ask();
    await vi.advanceTimersByTimeAsync(300);
    ask();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('a run that fails, is tried again after some seconds', async () => {
    const work = vi
      .fn<() => Promise<number>>()
      .mockRejectedValueOnce(new Error('away'))
      .mockResolvedValue(30_000);
    createRefresher(work, log).ask();
    await vi.advanceTimersByTimeAsync(5_200);
    expect(work).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(100);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('closed, waits for the run under way and begins no other', async () => {
    let isDone = false;
    const work = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      isDone = true;
      return 1;
    });
    const { ask, close } = createRefresher(work, log);
    ask();
    await vi.advanceTimersByTimeAsync(300);
    const closing = close();
    await vi.advanceTimersByTimeAsync(400);
    await closing;
    expect(isDone).toBe(true);
    ask();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
