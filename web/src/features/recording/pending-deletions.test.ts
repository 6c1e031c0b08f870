import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPendingDeletions, undoMs } from './pending-deletions';

describe('createPendingDeletions', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('a deletion, is sent once when the time to undo is over', () => {
    const deletions = createPendingDeletions();
    const sent: boolean[] = [];
    deletions.add(7, (isLeaving) => sent.push(isLeaving));
    vi.advanceTimersByTime(undoMs - 1);
    expect([sent, deletions.has(7)]).toEqual([[], true]);
    vi.advanceTimersByTime(60_000);
    deletions.flush();
    expect([sent, deletions.has(7)]).toEqual([[false], false]);
  });

  it('a deletion that is undone in time, is never sent', () => {
    const deletions = createPendingDeletions();
    const sent: number[] = [];
    deletions.add(7, () => sent.push(7));
    deletions.add(8, () => sent.push(8));
    expect(deletions.undo(7)).toBe(true);
    vi.advanceTimersByTime(undoMs);
    expect(sent).toEqual([8]);
  });

  it('a deletion that was sent, cannot be undone', () => {
    const deletions = createPendingDeletions();
    deletions.add(7, () => undefined);
    vi.advanceTimersByTime(undoMs);
    expect(deletions.undo(7)).toBe(false);
  });

  it('the page is left, all that wait are sent at once and not again', () => {
    const deletions = createPendingDeletions();
    const sent: [number, boolean][] = [];
    for (const id of [7, 8]) deletions.add(id, (isLeaving) => sent.push([id, isLeaving]));
    deletions.flush();
    vi.advanceTimersByTime(undoMs);
    expect(sent).toEqual([
      [7, true],
      [8, true],
    ]);
  });

  it('those who listen, hear of each that comes and goes', () => {
    const deletions = createPendingDeletions();
    const heard: boolean[] = [];
    const stop = deletions.subscribe(() => heard.push(deletions.has(7)));
    deletions.add(7, () => undefined);
    deletions.undo(7);
    stop();
    deletions.add(7, () => undefined);
    expect(heard).toEqual([true, false]);
  });
});
