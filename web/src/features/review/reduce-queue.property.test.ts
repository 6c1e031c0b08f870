import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createUnknown } from '../../testing/factories';
import { reduceQueue } from './reduce-queue';
import { emptyQueue, type QueueAction, type ReviewQueue, type Verdict } from './review-queue';

const mostIds = 12;
const ids = fc.array(fc.integer({ min: 1, max: mostIds }), { maxLength: 4 });
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

/** What a person does, and what becomes of calls; `go` is the hub at work on the first call. */
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

/** A hub that keeps what it was told of each detection, and the queue that tells it. */
class Sitting {
  queue: ReviewQueue = emptyQueue;
  readonly loaded = new Set<number>();
  readonly told = new Map<number, Verdict>();

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
      // Told twice, or taken back what it was never told: both would be harm done.
      expect(this.told.has(id)).toBe(call.kind === 'revert');
      if (call.kind === 'revert') this.told.delete(id);
      else this.told.set(id, call.step.verdict);
    }
    this.act({ type: 'answered', changed: call.step.items.length });
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
  it('any sequence of verdicts, undos and failures, loses and doubles no detection and ends as the hub has it', () => {
    fc.assert(
      fc.property(fc.array(move, { minLength: 20, maxLength: 80, size: 'max' }), (moves) => {
        const sitting = new Sitting();
        for (const one of moves) {
          sitting.do(one);
          sitting.check();
        }
        sitting.settle();
        const decided = sitting.queue.steps
          .filter((step) => step.verdict.kind !== 'skip')
          .flatMap((step) => step.items.map(({ id }) => [id, step.verdict] as const));
        expect(new Map(decided)).toEqual(sitting.told);
      }),
      { numRuns: 400 },
    );
  });
});
