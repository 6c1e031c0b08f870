import { Problem } from '../../api/problem';
import { reduceQueue } from './reduce-queue';
import { type Call, emptyQueue, type QueueAction, type ReviewQueue } from './review-queue';

/** What a queue needs of the world. */
export interface QueueSurroundings {
  /** Makes a call and tells how many detections it changed. @throws Problem */
  readonly carryOut: (call: Call) => Promise<number>;
  /** Told when calls begin to wait, and when none is left. */
  readonly onPending: (isPending: boolean) => void;
  /** Told of each call that was made, and of what it changed. */
  readonly onDone: (call: Call, changed: number) => void;
  readonly onFailed: (call: Call, error: Error) => void;
}

export interface RunningQueue {
  readonly current: () => ReviewQueue;
  readonly act: (action: QueueAction) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Unreachable or locked: the next call would fare no better. */
const isForAll = (error: Error) => error instanceof Problem && [0, 401, 403].includes(error.status);

/** A detection that is no longer there needs no verdict. */
const isGone = (error: unknown) => error instanceof Problem && error.code === 'detection_not_found';

/** A queue that makes its calls by itself, one after the other; it goes on when nobody looks any more. */
export function runQueue({ carryOut, onPending, onDone, onFailed }: QueueSurroundings): RunningQueue {
  let queue = emptyQueue;
  const listeners = new Set<() => void>();

  const change = (action: QueueAction) => {
    const wasPending = queue.calls.length > 0;
    queue = reduceQueue(queue, action);
    const isPending = queue.calls.length > 0;
    if (isPending !== wasPending) onPending(isPending);
    for (const listener of listeners) listener();
  };

  const makeCall = async (call: Call) => {
    try {
      const changed = await carryOut(call).catch((error: unknown) => {
        if (isGone(error)) return 0;
        throw error;
      });
      onDone(call, changed);
      change({ type: 'answered', changed });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      onFailed(call, error);
      change({ type: 'failed', error, isForAll: isForAll(error) });
    }
    goOn();
  };

  const goOn = () => {
    const [call] = queue.calls;
    if (call === undefined || queue.isSending) return;
    change({ type: 'sent' });
    void makeCall(call);
  };

  return {
    current: () => queue,
    act(action) {
      change(action);
      goOn();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
