import type { components } from '../../api/schema';

export type Unknown = components['schemas']['Unknown'];

/** What a person says of a detection. */
export type Verdict =
  | { readonly kind: 'skip' }
  | { readonly kind: 'confirm' }
  | { readonly kind: 'correct'; readonly speciesId: number; readonly scope: 'single_track' | 'visit' };

/** A verdict on one detection, and those that it goes for without a call of their own. */
export interface Step {
  readonly id: number;
  /** Steps of one turn were one act of the person, and are taken back together. */
  readonly turn: number;
  readonly items: readonly [Unknown, ...Unknown[]];
  readonly verdict: Verdict;
  /** How many detections the hub changed for it; undefined until it has answered. */
  readonly changed?: number;
}

/** What the hub still has to be told. */
export interface Call {
  readonly kind: 'send' | 'revert';
  readonly step: Step;
}

/** Every detection that was loaded is in `waiting` or in one of the `steps`, and in one place only. */
export interface ReviewQueue {
  /** What is still to be looked at; the first is being looked at. */
  readonly waiting: readonly Unknown[];
  /** What was decided, the last at the end. */
  readonly steps: readonly Step[];
  /** In the order in which they go out; the first is on its way while `isSending`. */
  readonly calls: readonly Call[];
  readonly isSending: boolean;
  /** Why detections are waiting again, by their id. */
  readonly failures: ReadonlyMap<number, Error>;
  readonly nextId: number;
}

export type QueueAction =
  | { readonly type: 'load'; readonly items: readonly Unknown[] }
  /** A verdict on the first that waits. It goes as well for `covered`; each of `alike` gets one of its own. */
  | {
      readonly type: 'decide';
      readonly verdict: Verdict;
      readonly covered?: readonly number[];
      readonly alike?: readonly number[];
    }
  | { readonly type: 'undo' }
  | { readonly type: 'take_skipped' }
  | { readonly type: 'sent' }
  | { readonly type: 'answered'; readonly changed: number }
  /** `isForAll`: none of the calls that wait would fare better. */
  | { readonly type: 'failed'; readonly error: Error; readonly isForAll: boolean };

export const emptyQueue: ReviewQueue = {
  waiting: [],
  steps: [],
  calls: [],
  isSending: false,
  failures: new Map(),
  nextId: 1,
};
