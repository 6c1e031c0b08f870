import { Problem } from '../../api/problem';
import { type Call, emptyQueue, type QueueAction, type ReviewQueue, reduceQueue } from './review-queue';

/** Callbacks of a queue. */
export interface QueueCallbacks {
  /** Sends a call. Returns how many detections it changed. @throws Problem */
  readonly sendCall: (call: Call) => Promise<number>;
  /** Called when the first call is queued and when none is left. */
  readonly onPending: (isPending: boolean) => void;
  /** Called after each successful call. */
  readonly onDone: (call: Call, changed: number) => void;
  readonly onFailed: (call: Call, error: Error) => void;
}

export interface RunningQueue {
  readonly current: () => ReviewQueue;
  readonly act: (action: QueueAction) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

/** Unreachable or locked: the next call would fail too. */
const isForAll = (error: Error) => error instanceof Problem && [0, 401, 403].includes(error.status);

/** A deleted detection needs no verdict. */
const isDeleted = (error: unknown) => error instanceof Problem && error.code === 'detection_not_found';

/** Runs a queue: sends its calls one by one, also after the page is left. */
export function runQueue({ sendCall, onPending, onDone, onFailed }: QueueCallbacks): RunningQueue {
  let queue = emptyQueue;
  const listeners = new Set<() => void>();

  const change = (action: QueueAction) => {
    const wasPending = queue.calls.length > 0;
    queue = reduceQueue(queue, action);
    const isPending = queue.calls.length > 0;
    if (isPending !== wasPending) onPending(isPending);
    for (const listener of listeners) listener();
  };

  const send = async (call: Call) => {
    try {
      const changed = await sendCall(call).catch((error: unknown) => {
        if (isDeleted(error)) return 0;
        throw error;
      });
      onDone(call, changed);
      change({ type: 'completed', changed });
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      onFailed(call, error);
      change({ type: 'failed', error, isForAll: isForAll(error) });
    }
    sendNext();
  };

  const sendNext = () => {
    const [call] = queue.calls;
    if (call === undefined || queue.isSending) return;
    change({ type: 'sent' });
    void send(call);
  };

  return {
    current: () => queue,
    act(action) {
      change(action);
      sendNext();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
