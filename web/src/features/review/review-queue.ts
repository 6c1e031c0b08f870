import type { components } from '../../api/schema';

export type Unknown = components['schemas']['Unknown'];

/** Answer to a detection. */
export type Verdict =
  | { readonly kind: 'skip' }
  | { readonly kind: 'confirm' }
  /** The recording is empty: the caller of the queue deletes it. */
  | { readonly kind: 'delete' }
  | { readonly kind: 'correct'; readonly speciesId: number; readonly scope: 'single_track' | 'visit' };

/** A verdict on a detection, and on those covered by the same call. */
interface Step {
  readonly id: number;
  /** Steps with the same `turn` come from one decision and are undone together. */
  readonly turn: number;
  readonly items: readonly [Unknown, ...Unknown[]];
  readonly verdict: Verdict;
  /** Number of detections that the hub changed; undefined until the call is done. */
  readonly changed?: number;
  /** Whether it can no longer be undone. */
  readonly isFinal?: true;
}

/** A call to send to the hub. */
export interface Call {
  readonly kind: 'send' | 'revert';
  readonly step: Step;
}

/** Every loaded detection is either in `waiting` or in one of the `steps`. */
export interface ReviewQueue {
  /** Detections to review; the first is the current one. */
  readonly waiting: readonly Unknown[];
  /** Decisions, the latest last. */
  readonly steps: readonly Step[];
  /** In sending order; the first is in flight while `isSending`. */
  readonly calls: readonly Call[];
  readonly isSending: boolean;
  /** Why detections were put back, by id. */
  readonly failures: ReadonlyMap<number, Error>;
  readonly nextId: number;
}

export type QueueAction =
  | { readonly type: 'load'; readonly items: readonly Unknown[] }
  /** A verdict on the current detection and on `covered`; each of `alike` gets a separate call. */
  | {
      readonly type: 'decide';
      readonly verdict: Verdict;
      readonly covered?: readonly number[];
      readonly alike?: readonly number[];
    }
  | { readonly type: 'undo' }
  | { readonly type: 'take_skipped' }
  /** The deletion of a recording was sent, which cannot be undone. */
  | { readonly type: 'deleted'; readonly videoId: number }
  | { readonly type: 'not_deleted'; readonly videoId: number; readonly error: Error }
  | { readonly type: 'sent' }
  | { readonly type: 'completed'; readonly changed: number }
  /** `isForAll`: the other pending calls would fail too. */
  | { readonly type: 'failed'; readonly error: Error; readonly isForAll: boolean };

export const emptyQueue: ReviewQueue = {
  waiting: [],
  steps: [],
  calls: [],
  isSending: false,
  failures: new Map(),
  nextId: 1,
};

const idsOf = (items: readonly Unknown[]) => new Set(items.map(({ id }) => id));
const isOfStep = (step: Step) => (call: Call) => call.step.id === step.id;

function load(queue: ReviewQueue, items: readonly Unknown[]): ReviewQueue {
  const known = idsOf([...queue.waiting, ...queue.steps.flatMap((step) => step.items)]);
  const added = items.filter(({ id }) => !known.has(id) && known.add(id));
  return added.length === 0 ? queue : { ...queue, waiting: [...queue.waiting, ...added] };
}

function decide(queue: ReviewQueue, action: Extract<QueueAction, { type: 'decide' }>): ReviewQueue {
  const { verdict, covered = [], alike = [] } = action;
  const [current, ...others] = queue.waiting;
  if (current === undefined) return queue;
  const { nextId } = queue;
  const alongside = others.filter(({ id }) => covered.includes(id));
  const own = others.filter(({ id }) => alike.includes(id) && !covered.includes(id));
  const parts: Step['items'][] = [[current, ...alongside], ...own.map((item): Step['items'] => [item])];
  const steps = parts.map((items, part) => ({ id: nextId + part, turn: nextId, items, verdict }));
  const answered = idsOf(parts.flat());
  const isCall = verdict.kind === 'confirm' || verdict.kind === 'correct';
  const calls = !isCall ? [] : steps.map((step): Call => ({ kind: 'send', step }));
  return {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => !answered.has(id)),
    steps: [...queue.steps, ...steps],
    calls: [...queue.calls, ...calls],
    failures: new Map([...queue.failures].filter(([id]) => !answered.has(id))),
    nextId: nextId + parts.length,
  };
}

/** Returns the remaining calls after a step is undone. */
function callsWithout(queue: ReviewQueue, step: Step): readonly Call[] {
  const place = queue.calls.findIndex(isOfStep(step));
  const isInFlight = place === 0 && queue.isSending;
  if (place !== -1 && !isInFlight) return queue.calls.filter((_, index) => index !== place);
  const hasChanged = isInFlight || (step.changed ?? 0) > 0;
  return hasChanged ? [...queue.calls, { kind: 'revert', step }] : queue.calls;
}

/** Returns the step that would be undone. */
export const undoable = (queue: ReviewQueue): Step | undefined =>
  queue.steps.findLast((step) => !step.isFinal);

function undo(queue: ReviewQueue): ReviewQueue {
  const turn = undoable(queue)?.turn;
  if (turn === undefined) return queue;
  const taken = queue.steps.filter((step) => step.turn === turn);
  const calls = taken.reduce((left, step) => callsWithout({ ...queue, calls: left }, step), queue.calls);
  return {
    ...queue,
    waiting: [...taken.flatMap((step) => step.items), ...queue.waiting],
    steps: queue.steps.filter((step) => step.turn !== turn),
    calls,
  };
}

function takeSkipped(queue: ReviewQueue): ReviewQueue {
  const isSkipped = ({ verdict }: Step) => verdict.kind === 'skip';
  const items = queue.steps.filter(isSkipped).flatMap((step) => step.items);
  return {
    ...queue,
    waiting: [...queue.waiting, ...items],
    steps: queue.steps.filter((step) => !isSkipped(step)),
  };
}

const isDeletionOf =
  (videoId: number) =>
  ({ verdict, items }: Step) =>
    verdict.kind === 'delete' && items[0].video_id === videoId;

function finishDeletion(queue: ReviewQueue, videoId: number): ReviewQueue {
  const isDeletion = isDeletionOf(videoId);
  return {
    ...queue,
    steps: queue.steps.map((step) => (isDeletion(step) ? { ...step, isFinal: true } : step)),
  };
}

function failDeletion(queue: ReviewQueue, videoId: number, error: Error): ReviewQueue {
  const step = queue.steps.find(isDeletionOf(videoId));
  if (step === undefined) return queue;
  return requeue({ ...queue, steps: queue.steps.filter((one) => one !== step) }, step.items, error);
}

function complete(queue: ReviewQueue, changed: number): ReviewQueue {
  const [call, ...calls] = queue.calls;
  if (call === undefined) return queue;
  const { step } = call;
  return {
    ...queue,
    isSending: false,
    steps: queue.steps.map((one) => (one.id === step.id && call.kind === 'send' ? { ...one, changed } : one)),
    // Undone while in flight, but the call changed nothing.
    calls: call.kind === 'send' && changed === 0 ? calls.filter((one) => !isOfStep(step)(one)) : calls,
  };
}

/** Puts detections back behind the current one, which stays first. */
function requeue(queue: ReviewQueue, items: readonly Unknown[], error: Error): ReviewQueue {
  const [current, ...others] = queue.waiting;
  return {
    ...queue,
    waiting: current === undefined ? items : [current, ...items, ...others],
    failures: new Map([...queue.failures, ...items.map(({ id }) => [id, error] as const)]),
  };
}

function sendFailed(queue: ReviewQueue, step: Step, error: Error): ReviewQueue {
  const isUndone = !queue.steps.some(({ id }) => id === step.id);
  const calls = queue.calls.filter((call) => !isOfStep(step)(call));
  if (isUndone) return { ...queue, calls };
  return requeue(
    { ...queue, calls, steps: queue.steps.filter(({ id }) => id !== step.id) },
    step.items,
    error,
  );
}

/** A failed undo restores the step; later verdicts on its detections are dropped, as they were not sent. */
function revertFailed(queue: ReviewQueue, step: Step, error: Error): ReviewQueue {
  const restored = idsOf(step.items);
  const isDropped = (one: Step) => one.items.some(({ id }) => restored.has(id));
  const freed = queue.steps
    .filter(isDropped)
    .flatMap(({ items }) => items.filter(({ id }) => !restored.has(id)));
  const left: ReviewQueue = {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => !restored.has(id)),
    steps: [
      ...queue.steps.filter((one) => !isDropped(one)),
      { ...step, changed: step.changed ?? restored.size },
    ],
    calls: queue.calls.filter((call) => !isDropped(call.step)),
  };
  return requeue(left, freed, error);
}

function fail(queue: ReviewQueue, error: Error, isForAll: boolean): ReviewQueue {
  const [call, ...calls] = queue.calls;
  if (call === undefined) return queue;
  const applyFailure = call.kind === 'send' ? sendFailed : revertFailed;
  const left = applyFailure({ ...queue, calls, isSending: false }, call.step, error);
  return isForAll ? fail(left, error, true) : left;
}

/** Applies an action to the queue. */
export function reduceQueue(queue: ReviewQueue, action: QueueAction): ReviewQueue {
  switch (action.type) {
    case 'load':
      return load(queue, action.items);
    case 'decide':
      return decide(queue, action);
    case 'undo':
      return undo(queue);
    case 'take_skipped':
      return takeSkipped(queue);
    case 'deleted':
      return finishDeletion(queue, action.videoId);
    case 'not_deleted':
      return failDeletion(queue, action.videoId, action.error);
    case 'sent':
      return { ...queue, isSending: true };
    case 'completed':
      return complete(queue, action.changed);
    case 'failed':
      return fail(queue, action.error, action.isForAll);
  }
}
