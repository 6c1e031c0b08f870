import type { Call, QueueAction, ReviewQueue, Step, Unknown } from './review-queue';

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
  const with_ = others.filter(({ id }) => covered.includes(id));
  const own = others.filter(({ id }) => alike.includes(id) && !covered.includes(id));
  const parts: Step['items'][] = [[current, ...with_], ...own.map((item): Step['items'] => [item])];
  const steps = parts.map((items, part) => ({ id: nextId + part, turn: nextId, items, verdict }));
  const gone = idsOf(parts.flat());
  const calls = verdict.kind === 'skip' ? [] : steps.map((step): Call => ({ kind: 'send', step }));
  return {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => !gone.has(id)),
    steps: [...queue.steps, ...steps],
    calls: [...queue.calls, ...calls],
    failures: new Map([...queue.failures].filter(([id]) => !gone.has(id))),
    nextId: nextId + parts.length,
  };
}

/** What is still to be told to the hub when a step is taken back. */
function callsWithout(queue: ReviewQueue, step: Step): readonly Call[] {
  const place = queue.calls.findIndex(isOfStep(step));
  const isOnItsWay = place === 0 && queue.isSending;
  if (place !== -1 && !isOnItsWay) return queue.calls.filter((_, index) => index !== place);
  const hasChanged = isOnItsWay || (step.changed ?? 0) > 0;
  return hasChanged ? [...queue.calls, { kind: 'revert', step }] : queue.calls;
}

function undo(queue: ReviewQueue): ReviewQueue {
  const turn = queue.steps.at(-1)?.turn;
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

function answered(queue: ReviewQueue, changed: number): ReviewQueue {
  const [call, ...calls] = queue.calls;
  if (call === undefined) return queue;
  const { step } = call;
  return {
    ...queue,
    isSending: false,
    steps: queue.steps.map((one) => (one.id === step.id && call.kind === 'send' ? { ...one, changed } : one)),
    // Taken back while it was on its way, but nothing came of it.
    calls: call.kind === 'send' && changed === 0 ? calls.filter((one) => !isOfStep(step)(one)) : calls,
  };
}

/** Puts detections back behind the one that is being looked at, so that nothing changes under a finger. */
function putBack(queue: ReviewQueue, items: readonly Unknown[], error: Error): ReviewQueue {
  const [current, ...others] = queue.waiting;
  return {
    ...queue,
    waiting: current === undefined ? items : [current, ...items, ...others],
    failures: new Map([...queue.failures, ...items.map(({ id }) => [id, error] as const)]),
  };
}

function sendFailed(queue: ReviewQueue, step: Step, error: Error): ReviewQueue {
  const isTakenBack = !queue.steps.some(({ id }) => id === step.id);
  const calls = queue.calls.filter((call) => !isOfStep(step)(call));
  if (isTakenBack) return { ...queue, calls };
  return putBack(
    { ...queue, calls, steps: queue.steps.filter(({ id }) => id !== step.id) },
    step.items,
    error,
  );
}

/** What could not be taken back stands as before; verdicts that were given since are void, as they never went out. */
function revertFailed(queue: ReviewQueue, step: Step, error: Error): ReviewQueue {
  const mine = idsOf(step.items);
  const isVoid = (one: Step) => one.items.some(({ id }) => mine.has(id));
  const freed = queue.steps.filter(isVoid).flatMap(({ items }) => items.filter(({ id }) => !mine.has(id)));
  const left: ReviewQueue = {
    ...queue,
    waiting: queue.waiting.filter(({ id }) => !mine.has(id)),
    steps: [...queue.steps.filter((one) => !isVoid(one)), { ...step, changed: step.changed ?? mine.size }],
    calls: queue.calls.filter((call) => !isVoid(call.step)),
  };
  return putBack(left, freed, error);
}

function failed(queue: ReviewQueue, error: Error, isForAll: boolean): ReviewQueue {
  const [call, ...calls] = queue.calls;
  if (call === undefined) return queue;
  const fail = call.kind === 'send' ? sendFailed : revertFailed;
  const left = fail({ ...queue, calls, isSending: false }, call.step, error);
  return isForAll ? failed(left, error, true) : left;
}

/** What becomes of the queue. */
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
    case 'sent':
      return { ...queue, isSending: true };
    case 'answered':
      return answered(queue, action.changed);
    case 'failed':
      return failed(queue, action.error, action.isForAll);
  }
}
