import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createPendingDeletions, type PendingDeletions, undoMs } from './pending-deletions';

describe('createPendingDeletions', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('a deletion, is sent once after the undo time', () => {
    const deletions = createPendingDeletions();
    const sent: boolean[] = [];
    deletions.add(7, (isLeaving) => sent.push(isLeaving));
    vi.advanceTimersByTime(undoMs - 1);
    expect([sent, deletions.has(7)]).toEqual([[], true]);
    vi.advanceTimersByTime(60_000);
    deletions.flush();
    expect([sent, deletions.has(7)]).toEqual([[false], false]);
  });

  it('a deletion undone in time, is never sent', () => {
    const deletions = createPendingDeletions();
    const sent: number[] = [];
    deletions.add(7, () => sent.push(7));
    deletions.add(8, () => sent.push(8));
    expect(deletions.undo(7)).toBe(true);
    vi.advanceTimersByTime(undoMs);
    expect(sent).toEqual([8]);
  });

  it('a deletion already sent, cannot be undone', () => {
    const deletions = createPendingDeletions();
    deletions.add(7, () => undefined);
    vi.advanceTimersByTime(undoMs);
    expect(deletions.undo(7)).toBe(false);
  });

  it('when the page is left, sends all pending deletions once', () => {
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

  it.each([
    ['sent', () => vi.advanceTimersByTime(undoMs)],
    ['undone', (deletions: PendingDeletions) => deletions.undo(7)],
  ] as const)('a deletion that is %s, ends once', (_, end) => {
    const deletions = createPendingDeletions();
    const onEnd = vi.fn();
    deletions.add(7, () => undefined, onEnd);
    expect(onEnd).not.toHaveBeenCalled();
    end(deletions);
    deletions.flush();
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('a subscriber, is notified of each deletion added or undone', () => {
    const deletions = createPendingDeletions();
    const states: boolean[] = [];
    const stop = deletions.subscribe(() => states.push(deletions.has(7)));
    deletions.add(7, () => undefined);
    deletions.undo(7);
    stop();
    deletions.add(7, () => undefined);
    expect(states).toEqual([true, false]);
  });
});
