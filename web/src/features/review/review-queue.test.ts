import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnknown } from '../../testing/factories';
import { emptyQueue, type QueueAction, type ReviewQueue, reduceQueue, type Verdict } from './review-queue';

const gone = new Error('gone');
const failed = (isForAll = false): QueueAction => ({ type: 'failed', error: gone, isForAll });
const answered = (changed = 1): QueueAction => ({ type: 'completed', changed });
const sent: QueueAction = { type: 'sent' };
const undo: QueueAction = { type: 'undo' };
const skip: QueueAction = { type: 'decide', verdict: { kind: 'skip' } };
const confirm: QueueAction = { type: 'decide', verdict: { kind: 'confirm' } };
const correct: QueueAction = {
  type: 'decide',
  verdict: { kind: 'correct', speciesId: 7, scope: 'visit' },
};

const load = (...ids: number[]): QueueAction => ({ type: 'load', items: ids.map((id) => createUnknown(id)) });
const after = (...actions: QueueAction[]): ReviewQueue => actions.reduce(reduceQueue, emptyQueue);

const waiting = (queue: ReviewQueue) => queue.waiting.map(({ id }) => id);
const decided = (queue: ReviewQueue) => queue.steps.map(({ items }) => items.map(({ id }) => id));
const calls = (queue: ReviewQueue) => queue.calls.map(({ kind, step }) => `${kind} ${step.items[0].id}`);

describe('reduceQueue, loading', () => {
  it('detections loaded again, even decided ones, are not added twice', () => {
    const queue = after(load(1, 2), confirm, load(1, 2, 3, 3));
    expect([waiting(queue), decided(queue)]).toEqual([[2, 3], [[1]]]);
  });
});

describe('reduceQueue, deciding', () => {
  it('a verdict, moves on at once and queues a call', () => {
    const queue = after(load(1, 2), confirm);
    expect([waiting(queue), decided(queue), calls(queue)]).toEqual([[2], [[1]], ['send 1']]);
  });

  it('with nothing waiting, changes nothing', () => {
    expect(after(confirm)).toEqual(emptyQueue);
  });

  it('a skip, makes no call', () => {
    expect(calls(after(load(1), skip))).toEqual([]);
  });

  it('covered detections, leave the queue with the one call', () => {
    const queue = after(load(1, 2, 3), { ...correct, covered: [3, 99] } as QueueAction);
    expect([waiting(queue), decided(queue), calls(queue)]).toEqual([[2], [[1, 3]], ['send 1']]);
  });

  it('alike detections, leave the queue with their own calls and come back together', () => {
    const both = after(load(1, 2, 3), { ...confirm, alike: [3] } as QueueAction);
    expect([waiting(both), decided(both), calls(both)]).toEqual([[2], [[1], [3]], ['send 1', 'send 3']]);
    const back = reduceQueue(both, undo);
    expect([waiting(back), decided(back), calls(back)]).toEqual([[1, 3, 2], [], []]);
  });
});

describe('reduceQueue, deleting', () => {
  const remove: QueueAction = { type: 'decide', verdict: { kind: 'delete' } };
  /** The recording of the first detection. */
  const videoId = createUnknown(1).video_id;

  it('a recording without birds, makes no call and comes back when undone', () => {
    const queue = after(load(1, 2), remove);
    expect([waiting(queue), decided(queue), calls(queue)]).toEqual([[2], [[1]], []]);
    const back = reduceQueue(queue, undo);
    expect([waiting(back), decided(back), calls(back)]).toEqual([[1, 2], [], []]);
  });

  it('a deletion already sent, is skipped by the next undo', () => {
    const queue = after(load(1, 2), skip, load(1, 2), remove);
    const deleted = queue.steps.at(-1)?.items[0].video_id ?? 0;
    const back = [{ type: 'deleted', videoId: deleted } as const, undo, undo].reduce(reduceQueue, queue);
    expect([waiting(back), decided(back)]).toEqual([[1], [[2]]]);
  });

  it('a failed deletion, puts the detection back with the error', () => {
    const queue = after(
      load(1, 2),
      remove,
      { type: 'deleted', videoId },
      { type: 'not_deleted', videoId, error: gone },
    );
    expect([waiting(queue), decided(queue), queue.failures.get(1)]).toEqual([[2, 1], [], gone]);
  });
});

describe('reduceQueue, failing', () => {
  it('a single call, puts its detections back behind the current one with the error', () => {
    const queue = after(load(1, 2, 3), confirm, sent, failed());
    expect([waiting(queue), decided(queue), calls(queue)]).toEqual([[2, 1, 3], [], []]);
    expect([...queue.failures]).toEqual([[1, gone]]);
    expect(after(load(1), confirm, sent, failed(), confirm).failures.size).toBe(0);
  });

  it('a call whose error concerns all, puts back all waiting detections', () => {
    const queue = after(load(1, 2, 3), confirm, confirm, sent, failed(true));
    expect([waiting(queue).sort(), decided(queue), calls(queue)]).toEqual([[1, 2, 3], [], []]);
  });
});

describe('reduceQueue, undoing', () => {
  it('a verdict not sent yet, removes its call', () => {
    const queue = after(load(1, 2), confirm, confirm, sent, undo);
    expect([waiting(queue), calls(queue)]).toEqual([[2], ['send 1']]);
  });

  it('a verdict stored by the hub, queues a revert', () => {
    const queue = after(load(1, 2), confirm, sent, answered(), undo);
    expect([waiting(queue), calls(queue)]).toEqual([[1, 2], ['revert 1']]);
  });

  it('a verdict that changed nothing, queues no revert', () => {
    const queue = after(load(1), confirm, sent, answered(0), undo);
    expect([waiting(queue), calls(queue)]).toEqual([[1], []]);
  });

  it('a verdict being sent, queues a revert behind it', () => {
    const queue = after(load(1), confirm, sent, undo);
    expect(calls(queue)).toEqual(['send 1', 'revert 1']);
    expect(calls(reduceQueue(queue, answered()))).toEqual(['revert 1']);
    expect(calls(reduceQueue(queue, answered(0)))).toEqual([]);
    const lost = reduceQueue(queue, failed());
    expect([waiting(lost), calls(lost)]).toEqual([[1], []]);
  });

  it('a skip, puts the detection back', () => {
    expect(waiting(after(load(1, 2), skip, undo))).toEqual([1, 2]);
  });

  it('a verdict whose revert fails, keeps it', () => {
    const queue = after(load(1, 2), confirm, sent, answered(), undo, sent, failed());
    expect([waiting(queue), decided(queue)]).toEqual([[2], [[1]]]);
    expect(calls(reduceQueue(queue, undo))).toEqual(['revert 1']);
  });

  it('a verdict whose revert fails after another verdict, keeps the first and releases the rest', () => {
    const again = { ...correct, covered: [2] } as QueueAction;
    const queue = after(load(1, 2, 3), confirm, sent, answered(), undo, sent, again, failed());
    expect([waiting(queue), decided(queue), calls(queue)]).toEqual([[3, 2], [[1]], []]);
  });

  it('with nothing decided, changes nothing', () => {
    expect(waiting(after(load(1), undo))).toEqual([1]);
  });
});

describe('reduceQueue, resuming skipped detections', () => {
  it('with some skipped, appends them to the waiting ones', () => {
    const queue = after(load(1, 2, 3), skip, confirm, { type: 'take_skipped' });
    expect([waiting(queue), decided(queue)]).toEqual([[3, 1], [[2]]]);
  });
});

const maxId = 12;
const ids = fc.array(fc.integer({ min: 1, max: maxId }), { maxLength: 4 });
const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constant({ kind: 'skip' as const }),
  fc.constant({ kind: 'confirm' as const }),
  fc.record({
    kind: fc.constant('correct' as const),
    speciesId: fc.integer({ min: 2, max: 4 }),
    scope: fc.constantFrom('single_track' as const, 'visit' as const),
  }),
);

const rarely = fc.integer({ min: 0, max: 4 }).map((number) => number === 0);

/** Actions of a person, and the sending and outcome of the first call. */
const move = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant('load' as const), ids }) },
  {
    weight: 3,
    arbitrary: fc.record({ type: fc.constant('decide' as const), verdict, covered: ids, alike: ids }),
  },
  { weight: 3, arbitrary: fc.constant({ type: 'undo' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'take_skipped' as const }) },
  { weight: 4, arbitrary: fc.constant({ type: 'send' as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ type: fc.constant('finish' as const), fails: fc.boolean(), isForAll: rarely }),
  },
);
type Move = typeof move extends fc.Arbitrary<infer T> ? T : never;

/** A hub that stores the verdict of each detection, and the queue that sends to it. */
class ReviewSession {
  queue: ReviewQueue = emptyQueue;
  readonly loaded = new Set<number>();
  readonly stored = new Map<number, Verdict>();

  private act(action: QueueAction): void {
    this.queue = reduceQueue(this.queue, action);
  }

  private finish(fails: boolean, isForAll: boolean): void {
    const [call] = this.queue.calls;
    if (call === undefined || !this.queue.isSending) return;
    if (fails) {
      this.act({ type: 'failed', error: new Error('no'), isForAll });
      return;
    }
    for (const { id } of call.step.items) {
      // A verdict sent twice, or the revert of a verdict never sent, would do harm.
      expect(this.stored.has(id)).toBe(call.kind === 'revert');
      if (call.kind === 'revert') this.stored.delete(id);
      else this.stored.set(id, call.step.verdict);
    }
    this.act({ type: 'completed', changed: call.step.items.length });
  }

  do(one: Move): void {
    if (one.type === 'load') {
      for (const id of one.ids) this.loaded.add(id);
      this.act({ type: 'load', items: one.ids.map((id) => createUnknown(id)) });
    } else if (one.type === 'send') {
      if (this.queue.calls.length > 0 && !this.queue.isSending) this.act({ type: 'sent' });
    } else if (one.type === 'finish') this.finish(one.fails, one.isForAll);
    else this.act(one);
  }

  check(): void {
    const { waiting, steps } = this.queue;
    const all = [...waiting, ...steps.flatMap(({ items }) => items)].map(({ id }) => id);
    expect(all.sort((a, b) => a - b)).toEqual([...this.loaded].sort((a, b) => a - b));
  }

  settle(): void {
    while (this.queue.calls.length > 0) {
      this.do({ type: 'send' });
      this.do({ type: 'finish', fails: false, isForAll: false });
    }
  }
}

describe('reduceQueue', () => {
  it('any sequence of verdicts, undos and failures, keeps each detection once and ends as stored by the hub', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 80, size: 'max' }), (moves) => {
        const session = new ReviewSession();
        for (const one of moves) {
          session.do(one);
          session.check();
        }
        session.settle();
        const decided = session.queue.steps
          .filter((step) => step.verdict.kind !== 'skip')
          .flatMap((step) => step.items.map(({ id }) => [id, step.verdict] as const));
        expect(new Map(decided)).toEqual(session.stored);
      }),
      { numRuns: 400 },
    );
  });
});
