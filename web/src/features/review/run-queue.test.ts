import { describe, expect, it } from 'vitest';
import { Problem } from '../../api/problem';
import { createUnknown } from '../../testing/factories';
import type { Call } from './review-queue';
import { runQueue } from './run-queue';

/** A queue whose calls are answered by the test, and what it reported. */
function open(ids: readonly number[]) {
  const made: { call: Call; answer: (changed: number) => void; refuse: (error: Error) => void }[] = [];
  const reports: unknown[] = [];
  const queue = runQueue({
    sendCall: (call) =>
      new Promise((answer, refuse) => {
        made.push({ call, answer, refuse });
      }),
    onPending: (isPending) => reports.push(isPending ? 'pending' : 'settled'),
    onDone: ({ kind }, changed) => reports.push(`${kind} changed ${changed}`),
    onFailed: ({ kind }, error) => reports.push(`${kind} failed: ${error.message}`),
  });
  queue.act({ type: 'load', items: ids.map((id) => createUnknown(id)) });
  const confirm = () => queue.act({ type: 'decide', verdict: { kind: 'confirm' } });
  const waiting = () => queue.current().waiting.map(({ id }) => id);
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  const calls = () => made.map(({ call }) => `${call.kind} ${call.step.items[0].id}`);
  return { queue, made, reports, confirm, waiting, settle, calls };
}

describe('runQueue', () => {
  it('verdicts faster than the hub, are sent one by one in order', async () => {
    const { made, reports, confirm, waiting, settle, calls } = open([1, 2, 3]);
    confirm();
    confirm();
    expect([waiting(), calls()]).toEqual([[3], ['send 1']]);
    made[0]?.answer(1);
    await settle();
    expect(calls()).toEqual(['send 1', 'send 2']);
    made[1]?.answer(2);
    await settle();
    expect(reports).toEqual(['pending', 'send changed 1', 'send changed 2', 'settled']);
  });

  it('a verdict undone while being sent, is reverted after its answer', async () => {
    const { queue, made, confirm, waiting, settle, calls } = open([1, 2]);
    confirm();
    queue.act({ type: 'undo' });
    expect([waiting(), calls()]).toEqual([[1, 2], ['send 1']]);
    made[0]?.answer(1);
    await settle();
    expect(calls()).toEqual(['send 1', 'revert 1']);
  });

  it('when one call is refused, puts its detection back and continues with the next', async () => {
    const { made, reports, confirm, waiting, settle, calls } = open([1, 2, 3]);
    confirm();
    confirm();
    made[0]?.refuse(new Problem(500, { error: 'broken' }));
    await settle();
    expect([waiting(), calls()]).toEqual([
      [3, 1],
      ['send 1', 'send 2'],
    ]);
    expect(reports).toEqual(['pending', 'send failed: broken']);
  });

  it.each([0, 401, 403])('after a status of %i, puts back all waiting detections', async (status) => {
    const { made, confirm, waiting, settle, calls } = open([1, 2, 3]);
    confirm();
    confirm();
    made[0]?.refuse(new Problem(status, {}));
    await settle();
    expect([waiting().toSorted(), calls()]).toEqual([[1, 2, 3], ['send 1']]);
  });

  it('a detection that no longer exists, counts as done', async () => {
    const { made, reports, confirm, waiting, settle } = open([1, 2]);
    confirm();
    made[0]?.refuse(new Problem(404, { code: 'detection_not_found' }));
    await settle();
    expect([waiting(), reports]).toEqual([[2], ['pending', 'send changed 0', 'settled']]);
  });
});
